package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.policies.text.SpecReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The text form of a layout.
 *
 * <pre>
 * layout = part { " + " part }
 * part   = COUNT " x " TIER [ place ] [ " in region " REGION ] [ " async" | " surplus" ]
 * place  = " on different racks" | " on the same rack" | " on the writer's node"
 * TIER   = a name of the tier table | "any"
 * REGION = name | number | "#" number
 * </pre>
 *
 * <p>Digits, and digits after {@code #}, are the name of the region that is called so. Where no
 * region is, they are its number, which changes when regions come and go: texts name regions.
 *
 * @param parts at least one that is not surplus; those that are come last, because a file with
 *     fewer replicas than its layout has the first ones
 */
record LayoutText(List<Part> parts) {
  /** A layout may stand in the tier table instead of an attribute, and be longer there. */
  private static final int TEXT_LENGTH_MAX = 4096;

  static final int REPLICAS_MAX = 512;
  static final String ANY_TIER = "any";

  private static final String GRAMMAR =
      "write COUNT x TIER [on different racks | on the same rack | on the writer's node]"
          + " [in region NAME] [async | surplus], joined by +";
  private static final String DIFFERENT_RACKS = "on different racks";
  private static final String SAME_RACK = "on the same rack";
  private static final String WRITERS_NODE = "on the writer's node";

  LayoutText {
    parts = List.copyOf(parts);
  }

  /** Whether replicas have to be there, and when. */
  enum Duty {
    /** A write waits for them. */
    FIRM(""),
    /** A write may return before they are there. */
    ASYNC("async"),
    /** They may be dropped when room is needed. */
    SURPLUS("surplus");

    private final String word;

    Duty(String word) {
      this.word = word;
    }

    /** The one that the last word of a part says; a tier or a region may have such a name, too. */
    private static Duty of(List<String> part) {
      int last = part.size() - 1;
      return Arrays.stream(values())
          .filter(duty -> duty != FIRM && last > 2 && part.get(last).equals(duty.word))
          .filter(duty -> !part.get(last - 1).equals("region"))
          .findFirst()
          .orElse(FIRM);
    }
  }

  /**
   * Equal slots.
   *
   * @param count from 1
   * @param slot each of them, in any region
   * @param regionName as the text gives the region, see {@link #regionNumber}; empty for any
   */
  record Part(int count, Slot slot, String regionName, Duty duty) {
    boolean isLike(Part other) {
      return slot.equals(other.slot) && regionName.equals(other.regionName) && duty == other.duty;
    }

    boolean isSurplus() {
      return duty == Duty.SURPLUS;
    }

    Part times(int replicas) {
      return new Part(replicas, slot, regionName, duty);
    }

    Part at(Slot there) {
      return new Part(1, there, regionName, duty);
    }

    Part as(Duty other) {
      return new Part(count, slot, regionName, other);
    }
  }

  /** Each part as often as its count says. */
  List<Part> partPerReplica() {
    List<Part> all = new ArrayList<>();
    for (Part part : parts) {
      all.addAll(Collections.nCopies(part.count(), part));
    }
    return all;
  }

  static LayoutText parse(String text, TierTable tiers) {
    if (text.length() > TEXT_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "layout "
              + SpecReader.quoted(text)
              + " is longer than "
              + TEXT_LENGTH_MAX
              + " characters");
    }
    List<Part> parts = new ArrayList<>();
    int replicas = 0;
    for (List<String> words : splitAtPlus(text)) {
      Part part = parsePart(words, text, tiers);
      replicas += part.count();
      if (replicas > REPLICAS_MAX) {
        throw new IllegalArgumentException(
            "layout " + SpecReader.quoted(text) + " has more than " + REPLICAS_MAX + " replicas");
      }
      Part last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
      if (last != null && last.isLike(part)) {
        parts.set(parts.size() - 1, part.times(last.count() + part.count()));
      } else {
        parts.add(part);
      }
    }
    requireSurplusLast(parts, text);
    return new LayoutText(parts);
  }

  private static void requireSurplusLast(List<Part> parts, String text) {
    for (int i = 0; i < parts.size(); i++) {
      boolean first = i == 0;
      if (parts.get(i).isSurplus() ? first : !first && parts.get(i - 1).isSurplus()) {
        throw new IllegalArgumentException(
            "layout "
                + SpecReader.quoted(text)
                + (first
                    ? " begins with surplus replicas: name first those that have to stay"
                    : " names replicas after surplus ones: write the surplus ones last"));
      }
    }
  }

  String format(TierTable tiers) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      Slot slot = part.slot();
      text.append(text.isEmpty() ? "" : " + ")
          .append(part.count())
          .append(" x ")
          .append(slot.tier() == Slot.ANY ? ANY_TIER : tiers.tier(slot.tier()).name());
      switch (slot.spread()) {
        case OTHER_RACK -> text.append(' ').append(DIFFERENT_RACKS);
        case SHARED_RACK -> text.append(' ').append(SAME_RACK);
        case WRITER_NODE -> text.append(' ').append(WRITERS_NODE);
        case ANYWHERE -> {}
      }
      if (!part.regionName().isEmpty()) {
        text.append(" in region ").append(part.regionName());
      }
      if (part.duty() != Duty.FIRM) {
        text.append(' ').append(part.duty().word);
      }
    }
    return text.toString();
  }

  private static List<List<String>> splitAtPlus(String text) {
    List<List<String>> parts = new ArrayList<>();
    List<String> part = new ArrayList<>();
    for (String word : text.strip().split("\\s+")) {
      if (word.equals("+")) {
        parts.add(part);
        part = new ArrayList<>();
      } else {
        part.add(word);
      }
    }
    parts.add(part);
    return parts;
  }

  private static Part parsePart(List<String> words, String text, TierTable tiers) {
    if (words.size() < 3 || !words.get(1).equals("x")) {
      throw unreadable(words, text);
    }
    int count = parseCount(words.get(0), text);
    int tier = words.get(2).equals(ANY_TIER) ? Slot.ANY : PolicyText.tier(words.get(2), tiers);
    int end = words.size();
    Duty duty = Duty.of(words);
    String place = String.join(" ", words.subList(3, duty == Duty.FIRM ? end : end - 1));
    Spread spread = Spread.ANYWHERE;
    for (Spread candidate : Spread.values()) {
      String phrase = phrase(candidate);
      if (!phrase.isEmpty() && (place.equals(phrase) || place.startsWith(phrase + " "))) {
        spread = candidate;
        place = place.substring(phrase.length()).strip();
      }
    }
    if (place.isEmpty()) {
      return new Part(count, Slot.inTier(tier, spread), "", duty);
    }
    String region = place.startsWith("in region ") ? place.substring("in region ".length()) : "";
    if (!isRegion(region)) {
      throw unreadable(words, text);
    }
    return new Part(count, Slot.inTier(tier, spread), region, duty);
  }

  /** The number that a region's text stands for where no region has it for a name; else any. */
  static int regionNumber(String text) {
    String digits = text.startsWith("#") ? text.substring(1) : text;
    return digits.length() <= 4 && isDigits(digits) ? Integer.parseInt(digits) : Slot.ANY;
  }

  private static String phrase(Spread spread) {
    return switch (spread) {
      case OTHER_RACK -> DIFFERENT_RACKS;
      case SHARED_RACK -> SAME_RACK;
      case WRITER_NODE -> WRITERS_NODE;
      case ANYWHERE -> "";
    };
  }

  private static int parseCount(String word, String text) {
    int count = word.length() <= 4 && isDigits(word) ? Integer.parseInt(word) : 0;
    if (count < 1 || count > REPLICAS_MAX) {
      throw new IllegalArgumentException(
          "layout "
              + SpecReader.quoted(text)
              + ": "
              + SpecReader.quoted(word)
              + " is no count: write a number from 1 to "
              + REPLICAS_MAX);
    }
    return count;
  }

  private static boolean isDigits(String text) {
    return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean isRegion(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> c > ' ' && c < 127 && c != '+' && c != '"');
  }

  private static IllegalArgumentException unreadable(List<String> words, String text) {
    return new IllegalArgumentException(
        "layout "
            + SpecReader.quoted(text)
            + ": "
            + SpecReader.quoted(String.join(" ", words))
            + " is not understood: "
            + GRAMMAR);
  }
}
