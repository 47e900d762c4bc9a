package io.tierwise.core.message;

import java.util.List;

/**
 * A part of an answer for people, on a terminal or a page.
 *
 * @param title what a page says above it; a terminal shows the tables alone
 * @param below sentences under the tables
 */
public record Section(String title, List<Table> tables, List<String> below) {
  public Section {
    tables = List.copyOf(tables);
    below = List.copyOf(below);
  }

  /** A section of one table. */
  public Section(String title, Table table, List<String> below) {
    this(title, List.of(table), below);
  }

  /** A section of one table with a sentence under it. */
  public Section(String title, Table table, String below) {
    this(title, table, List.of(below));
  }

  /** A section of one table that says all. */
  public Section(String title, Table table) {
    this(title, table, List.of());
  }
}
