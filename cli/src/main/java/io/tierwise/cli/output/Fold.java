package io.tierwise.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Fits text into a width: sentences go on in the next line, names lose their middle. */
public final class Fold {
  private static final String CUT = "…";

  private Fold() {}

  /** A cell of a table: folded when it is more than one word, else cut. */
  static List<String> cell(String text, int width) {
    if (text.length() <= width) {
      return List.of(text);
    }
    return text.strip().contains(" ") ? lines(text, width, "") : List.of(cut(text, width));
  }

  /** A name whose beginning and end are seen, for both tell names apart. */
  public static String cut(String name, int width) {
    if (name.length() <= width) {
      return name;
    }
    int tail = (width - 1) / 2;
    return name.substring(0, width - 1 - tail) + CUT + name.substring(name.length() - tail);
  }

  /** Text of a width of {@value TextTable#WIDTH}, what goes on in a next line two blanks in. */
  public static String text(String text) {
    return String.join(System.lineSeparator(), lines(text, TextTable.WIDTH, "  "));
  }

  /**
   * Text folded at its blanks; a word that is longer than a line is cut.
   *
   * @param indent stands before each line but the first
   */
  static List<String> lines(String text, int width, String indent) {
    List<String> lines = new ArrayList<>();
    // Blanks before the first word say where the text belongs: they stay.
    int start = text.length() - text.stripLeading().length();
    String line = text.substring(0, start);
    boolean empty = true;
    for (String word : text.strip().split(" +")) {
      if (!empty && line.length() + 1 + word.length() > width) {
        lines.add(line);
        line = indent;
        empty = true;
      }
      line += (empty ? "" : " ") + cut(word, width - line.length() - (empty ? 0 : 1));
      empty = false;
    }
    lines.add(line);
    return lines;
  }
}
