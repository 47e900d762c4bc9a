package io.tierwise.core.message;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table for people, as data: whoever shows it decides how wide its columns are. */
public final class Table {
  private final List<String> titles = new ArrayList<>();
  private final List<Boolean> numbers = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();
  private int keyCount;

  /** Adds columns of text. */
  public Table text(String... names) {
    return columns(false, names);
  }

  /** Adds columns of numbers, which are never cut. */
  public Table number(String... names) {
    return columns(true, names);
  }

  /** Says which first columns name a row: they stand in each part of a table that is too wide. */
  public Table keys(int count) {
    keyCount = count;
    return this;
  }

  private Table columns(boolean ofNumbers, String... names) {
    for (String name : names) {
      titles.add(name);
      numbers.add(ofNumbers);
    }
    return this;
  }

  /** Adds a row; a null cell is a dash. */
  public Table row(Object... cells) {
    if (cells.length != titles.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + titles.size() + " columns");
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell == null ? "-" : Words.plain(String.valueOf(cell)));
    }
    rows.add(row);
    return this;
  }

  public List<String> titles() {
    return Collections.unmodifiableList(titles);
  }

  /** Whether a column is one of numbers. */
  public boolean isNumber(int column) {
    return numbers.get(column);
  }

  public List<List<String>> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** The number of first columns that name a row; 0 where nobody said so. */
  public int keyCount() {
    return keyCount;
  }
}
