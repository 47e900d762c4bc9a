package io.tierwise.policies.heat;

/**
 * Lists of rows that have the same directory. A row names those beside it; the directory names the
 * first, which this class leaves to its user.
 */
final class SiblingLists {
  private final RowPages rows;
  private final int next;
  private final int previous;

  /**
   * @param next the column with the row after
   * @param previous the column with the row before
   */
  SiblingLists(RowPages rows, int next, int previous) {
    this.rows = rows;
    this.next = next;
    this.previous = previous;
  }

  /** The row after; {@link RowPages#NONE} after the last. */
  int next(int row) {
    return rows.get(row, next);
  }

  /** Whether the directory names this row. */
  boolean isFirst(int row) {
    return rows.get(row, previous) == RowPages.NONE;
  }

  /** Puts a row before what was the first of its list, or {@link RowPages#NONE}. */
  void putBefore(int row, int first) {
    rows.set(row, next, first);
    rows.set(row, previous, RowPages.NONE);
    if (first != RowPages.NONE) {
      rows.set(first, previous, row);
    }
  }

  /** Joins the rows before and after this one. */
  void takeOut(int row) {
    int after = rows.get(row, next);
    int before = rows.get(row, previous);
    if (after != RowPages.NONE) {
      rows.set(after, previous, before);
    }
    if (before != RowPages.NONE) {
      rows.set(before, next, after);
    }
  }
}
