package io.tierwise.core.message;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Fits text into a width: sentences go on in the next line, names lose a part of themselves. */
public final class Fold {
  private static final String CUT = "…";

  private Fold() {}

  /** Whether a cell is a name, to be read as one word. */
  static boolean isName(String text) {
    return !text.strip().contains(" ");
  }

  /**
   * How the names of a column are shown: in one line each, all cut at the same place, so that no
   * two of them look alike. Where no place does that, those that look alike keep all of themselves,
   * on several lines.
   */
  static Map<String, List<String>> names(Collection<String> column, int width) {
    Set<String> names = new LinkedHashSet<>(column);
    int half = (width - 1) / 2;
    Map<String, String> cuts =
        IntStream.range(0, width)
            .boxed()
            .sorted(Comparator.comparingInt(tail -> Math.abs(tail - half)))
            .map(tail -> cuts(names, width, tail))
            .filter(each -> alike(each).isEmpty())
            .findFirst()
            .orElseGet(() -> cuts(names, width, half));
    Set<String> alike = alike(cuts);
    Map<String, List<String>> shown = new LinkedHashMap<>();
    cuts.forEach(
        (name, cut) ->
            shown.put(name, alike.contains(cut) ? lines(name, width, "") : List.of(cut)));
    return shown;
  }

  private static Map<String, String> cuts(Set<String> names, int width, int tail) {
    Map<String, String> cuts = new LinkedHashMap<>();
    names.forEach(name -> cuts.put(name, cut(name, width, tail)));
    return cuts;
  }

  /** The cuts that stand for more than one name. */
  private static Set<String> alike(Map<String, String> cuts) {
    Set<String> seen = new LinkedHashSet<>();
    return cuts.values().stream()
        .filter(cut -> !seen.add(cut))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** A name whose beginning and end are seen, for both tell names apart. */
  public static String cut(String name, int width) {
    return cut(name, width, (width - 1) / 2);
  }

  private static String cut(String name, int width, int tail) {
    if (name.length() <= width) {
      return name;
    }
    return name.substring(0, width - 1 - tail) + CUT + name.substring(name.length() - tail);
  }

  /** Text of a width of {@value TextTable#WIDTH}, what goes on in a next line two blanks in. */
  public static String text(String text) {
    return text(text, 2);
  }

  /** The same with another count of blanks before each line but the first. */
  public static String text(String text, int indent) {
    return String.join(System.lineSeparator(), lines(text, TextTable.WIDTH, " ".repeat(indent)));
  }

  /**
   * Text folded at its blanks. A word that is longer than a line goes on in the next one: nothing
   * is lost.
   *
   * @param indent stands before each line but the first
   */
  static List<String> lines(String text, int width, String indent) {
    List<String> lines = new ArrayList<>();
    // Blanks before the first word say where the text belongs: they stay.
    int start = text.length() - text.stripLeading().length();
    String line = text.substring(0, start);
    boolean empty = true;
    for (String word : Words.plain(text.strip()).split(" +")) {
      if (!empty && line.length() + 1 + word.length() > width) {
        lines.add(line);
        line = indent;
        empty = true;
      }
      line += (empty ? "" : " ") + word;
      empty = false;
      while (line.length() > width) {
        lines.add(line.substring(0, width));
        line = indent + line.substring(width);
      }
    }
    lines.add(line);
    return lines;
  }
}
