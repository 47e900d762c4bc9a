package io.tierwise.simulator.scenario.yaml;

import java.math.BigDecimal;
import java.util.List;

/** The values that a key may have. */
sealed interface ValueKind {
  /** For the reference, in Markdown: what to write. */
  String description();

  /** For a message: what to write. */
  default String plainDescription() {
    return description().replaceAll("\\[([a-z-]+)\\]\\(#[a-z-]+\\)", "$1").replace("`", "");
  }

  /**
   * A figure with a unit.
   *
   * @param leastText the least value allowed, as one would write it
   * @param orNone whether {@code none} is allowed and means infinite
   */
  record Measure(Quantity quantity, String leastText, String mostText, boolean orNone)
      implements ValueKind {
    @Override
    public String description() {
      return quantity.label()
          + ", "
          + leastText
          + " to "
          + mostText
          + (orNone ? ", or `none`" : "");
    }
  }

  /**
   * A figure with a unit, or a word that stands for one.
   *
   * @param words what to write in the place of a figure
   * @param pattern that such a word matches
   */
  record WordedMeasure(Measure measure, String words, String pattern) implements ValueKind {
    @Override
    public String description() {
      return measure.description() + ", or " + words;
    }
  }

  /**
   * A whole number.
   *
   * @param word allowed instead of a number; empty: none is
   */
  record Count(long least, long most, String word) implements ValueKind {
    @Override
    public String description() {
      String range =
          "whole number, " + least + (most == Long.MAX_VALUE ? " or more" : " to " + most);
      return word.isEmpty() ? range : range + ", or `" + word + "`";
    }
  }

  /** A number; a share may be written in percent too. */
  record Decimal(double least, double most, boolean share) implements ValueKind {
    @Override
    public String description() {
      return share
          ? "share, "
              + plain(least, 0)
              + " to "
              + plain(most, 0)
              + " or "
              + plain(least, 2)
              + "% to "
              + plain(most, 2)
              + "%"
          : "number, " + least + " to " + most;
    }

    private static String plain(double value, int places) {
      BigDecimal moved = BigDecimal.valueOf(value).movePointRight(places);
      return moved.stripTrailingZeros().toPlainString();
    }
  }

  /** One of some words. */
  record Choice(List<String> words) implements ValueKind {
    @Override
    public String description() {
      return "`" + String.join("`, `", words) + "`";
    }
  }

  /** true or false. */
  record Flag() implements ValueKind {
    @Override
    public String description() {
      return "`true` or `false`";
    }
  }

  /** A name: letters, digits, {@code - _ . +}, at most 63 of them. */
  record Name() implements ValueKind {
    @Override
    public String description() {
      return "name";
    }
  }

  /** Any text. */
  record Text(String meaning) implements ValueKind {
    @Override
    public String description() {
      return meaning;
    }
  }

  /** One text or a list of them. */
  record Texts(String meaning) implements ValueKind {
    @Override
    public String description() {
      return meaning + ", or a list of them";
    }
  }

  /** A mapping with the keys of a section. */
  record Nested(String section) implements ValueKind {
    @Override
    public String description() {
      return "[" + section + "](#" + section + ")";
    }
  }

  /**
   * A list of mappings with the keys of a section; {@code shortForm} says what else an item may be.
   */
  record ListOf(String section, String shortForm) implements ValueKind {
    @Override
    public String description() {
      String list = "list of [" + section + "](#" + section + ")";
      return shortForm.isEmpty() ? list : list + " or " + shortForm;
    }
  }

  /** A mapping from names to mappings with the keys of a section. */
  record Named(String section) implements ValueKind {
    @Override
    public String description() {
      return "names to [" + section + "](#" + section + ")";
    }
  }

  /** A mapping from stream counts to shares. */
  record Curve() implements ValueKind {
    @Override
    public String description() {
      return "stream counts to shares, 0.001 to 1000";
    }
  }

  /** When jobs arrive: a word or a mapping. */
  record Arrivals(String section) implements ValueKind {
    @Override
    public String description() {
      return "`together`, `one-after-another` or [" + section + "](#" + section + ")";
    }
  }
}
