package io.tierwise.policies.heat;

import java.util.Arrays;

/**
 * Rows of equally many numbers, with a name each, in pages: growing copies no row, and a row that
 * was given back is used again.
 */
final class RowPages {
  static final int NONE = -1;
  private static final int PAGE_BITS = 12;
  private static final int PAGE_ROWS = 1 << PAGE_BITS;

  private final int stride;
  private int[][] pages = new int[16][];
  private byte[][][] names = new byte[16][][];
  private int end;
  private int firstFree = NONE;
  private int count;

  RowPages(int stride) {
    this.stride = stride;
  }

  /** Rows in use. */
  int count() {
    return count;
  }

  /** All rows in use have lower numbers. */
  int end() {
    return end;
  }

  /** The page of a row. */
  int[] page(int row) {
    return pages[row >> PAGE_BITS];
  }

  /** Where a row begins in its page. */
  int at(int row) {
    return (row & (PAGE_ROWS - 1)) * stride;
  }

  /** The name of a row; null when it is not in use. */
  byte[] name(int row) {
    return names[row >> PAGE_BITS][row & (PAGE_ROWS - 1)];
  }

  void rename(int row, byte[] name) {
    names[row >> PAGE_BITS][row & (PAGE_ROWS - 1)] = name;
  }

  boolean isKept(int row) {
    return name(row) != null;
  }

  int get(int row, int field) {
    return page(row)[at(row) + field];
  }

  void set(int row, int field, int value) {
    page(row)[at(row) + field] = value;
  }

  /** A number of two fields, the lower half first. */
  long getLong(int row, int field) {
    int[] page = page(row);
    int at = at(row) + field;
    return (page[at] & 0xffffffffL) | ((long) page[at + 1] << Integer.SIZE);
  }

  void setLong(int row, int field, long value) {
    set(row, field, (int) value);
    set(row, field + 1, (int) (value >>> Integer.SIZE));
  }

  /** A row of zeros. */
  int take(byte[] name) {
    int row = firstFree;
    if (row == NONE) {
      row = end++;
      if (row >> PAGE_BITS == pages.length) {
        pages = Arrays.copyOf(pages, 2 * pages.length);
        names = Arrays.copyOf(names, 2 * names.length);
      }
      if (pages[row >> PAGE_BITS] == null) {
        pages[row >> PAGE_BITS] = new int[PAGE_ROWS * stride];
        names[row >> PAGE_BITS] = new byte[PAGE_ROWS][];
      }
    } else {
      firstFree = page(row)[at(row)];
      Arrays.fill(page(row), at(row), at(row) + stride, 0);
    }
    rename(row, name);
    count++;
    return row;
  }

  void giveBack(int row) {
    rename(row, null);
    page(row)[at(row)] = firstFree;
    firstFree = row;
    count--;
  }
}
