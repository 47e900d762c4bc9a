package io.tierwise.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table for a terminal: columns as wide as their widest cell, two blanks apart. */
public final class TextTable {
  /** Which edge of a column its cells keep to. */
  public enum Align {
    LEFT,
    RIGHT
  }

  private final List<String> titles = new ArrayList<>();
  private final List<Align> aligns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a column of text. */
  public TextTable left(String title) {
    return column(title, Align.LEFT);
  }

  /** Adds a column of numbers. */
  public TextTable right(String title) {
    return column(title, Align.RIGHT);
  }

  private TextTable column(String title, Align align) {
    titles.add(title);
    aligns.add(align);
    return this;
  }

  /** Adds a row; a null cell prints as a dash. */
  public TextTable row(Object... cells) {
    if (cells.length != titles.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + titles.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell == null ? "-" : String.valueOf(cell));
    }
    rows.add(row);
    return this;
  }

  public void print(PrintWriter out) {
    int[] widths = new int[titles.size()];
    widen(widths, titles);
    rows.forEach(row -> widen(widths, row));
    printRow(out, widths, titles);
    rows.forEach(row -> printRow(out, widths, row));
    out.flush();
  }

  private static void widen(int[] widths, List<String> cells) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], cells.get(i).length());
    }
  }

  private void printRow(PrintWriter out, int[] widths, List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(aligns.get(i) == Align.LEFT ? cells.get(i) + padding : padding + cells.get(i));
    }
    out.println(line.toString().stripTrailing());
  }
}
