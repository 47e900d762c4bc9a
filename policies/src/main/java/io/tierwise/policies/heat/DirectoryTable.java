package io.tierwise.policies.heat;

import io.tierwise.core.data.ByteHash;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The directories that reads went to, as a tree. A row counts the reads of files directly in it,
 * and those of directories below it that were too cold to keep: what was counted below a directory
 * is exact for every directory that is kept.
 */
final class DirectoryTable {
  static final int NONE = RowPages.NONE;
  private static final int ROOT = 0;

  /** Own: one sweep makes room for an eighth, so that a row costs eight looks. */
  private static final int SWEPT_SHARE = 8;

  // What each read needs stands side by side, and the ladder's running count behind it.
  private static final int NEXT = 0;
  private static final int PREVIOUS = 1;
  private static final int PARENT = 2;
  private static final int FIRST_CHILD = 3;
  private static final int FIRST_FILE = 4;
  private static final int HASH_LOW = 5;
  private static final int TOTAL = 7;
  private static final int LADDER = 8;

  private final WindowLadder ladder;
  private final RowPages rows;
  private final KeyIndex index = new KeyIndex();
  private final KeyIndex.Keys keys = this::hash;
  private final int max;
  private final long seed;
  private long folded;
  private int triesUntilSweep;

  DirectoryTable(WindowLadder ladder, int max, long seed) {
    this.ladder = ladder;
    this.max = max;
    this.seed = seed;
    rows = new RowPages(LADDER + ladder.ints());
    byte[] root = {};
    add(root, hash(root, 0, 0), NONE);
  }

  /** The hash of a path. */
  long hash(byte[] path, int from, int to) {
    return ByteHash.hash(path, from, to, seed);
  }

  /** The hash of a row's path, which is part of its files' keys. */
  long hash(int row) {
    return rows.getLong(row, HASH_LOW);
  }

  int count() {
    return rows.count();
  }

  int end() {
    return rows.end();
  }

  boolean isKept(int row) {
    return rows.isKept(row);
  }

  /** Directories that were counted with their parents since. */
  long folded() {
    return folded;
  }

  byte[] path(int row) {
    return rows.name(row);
  }

  /** The directory above; {@link #NONE} above the root. */
  int parent(int row) {
    return rows.get(row, PARENT);
  }

  int firstFile(int row) {
    return rows.get(row, FIRST_FILE);
  }

  void firstFile(int row, int file) {
    rows.set(row, FIRST_FILE, file);
  }

  int[] page(int row) {
    return rows.page(row);
  }

  /** Where the ladder of a row begins in its page. */
  int at(int row) {
    return rows.at(row) + LADDER;
  }

  void read(int row, int time) {
    int[] page = rows.page(row);
    int at = rows.at(row);
    ladder.add(page, at + LADDER, time, 1);
    page[at + TOTAL]++;
  }

  /** Reads since the row was made, those of directories that were folded into it included. */
  int total(int row) {
    return rows.get(row, TOTAL);
  }

  /** Adds what another row counted. */
  void merge(int into, int from) {
    ladder.merge(rows.page(into), at(into), rows.page(from), at(from));
    rows.set(into, TOTAL, rows.get(into, TOTAL) + rows.get(from, TOTAL));
  }

  /** The row of a path without its last slash, or {@link #NONE}. */
  int find(byte[] path, int from, int to) {
    return find(hash(path, from, to), path, from, to);
  }

  private int find(long hash, byte[] path, int from, int to) {
    int row = index.find(hash, keys);
    if (row == NONE) {
      return NONE;
    }
    byte[] name = rows.name(row);
    return Arrays.equals(name, 0, name.length, path, from, to) ? row : NONE;
  }

  /**
   * The row of a path, made where there is none. When no more may be made it is that of the nearest
   * directory above that is kept.
   */
  int make(byte[] path, int from, int to, int time) {
    return make(hash(path, from, to), path, from, to, time);
  }

  /** The same where the hash of the path is known. */
  int make(long hashOfPath, byte[] path, int from, int to, int time) {
    int known = to;
    int row = find(hashOfPath, path, from, known);
    while (row == NONE) {
      do {
        known--;
      } while (known > from && path[known] != '/');
      row = known <= from ? ROOT : find(path, from, known);
    }
    while (known < to) {
      do {
        known++;
      } while (known < to && path[known] != '/');
      long hash = hash(path, from, known);
      // Another path of the same hash may hold the place: the parent stands for this one.
      if (index.find(hash, keys) != NONE || (rows.count() >= max && !sweep(time, row))) {
        return row;
      }
      row = add(Arrays.copyOfRange(path, from, known), hash, row);
      ladder.start(rows.page(row), at(row), time);
    }
    return row;
  }

  private int add(byte[] path, long hash, int above) {
    int row = rows.take(path);
    rows.setLong(row, HASH_LOW, hash);
    rows.set(row, FIRST_CHILD, NONE);
    rows.set(row, FIRST_FILE, NONE);
    index.add(hash, row);
    link(row, above);
    return row;
  }

  private void link(int row, int above) {
    rows.set(row, PARENT, above);
    rows.set(row, PREVIOUS, NONE);
    rows.set(row, NEXT, NONE);
    if (above != NONE) {
      int first = rows.get(above, FIRST_CHILD);
      rows.set(row, NEXT, first);
      if (first != NONE) {
        rows.set(first, PREVIOUS, row);
      }
      rows.set(above, FIRST_CHILD, row);
    }
  }

  private void unlink(int row) {
    int after = rows.get(row, NEXT);
    int before = rows.get(row, PREVIOUS);
    if (after != NONE) {
      rows.set(after, PREVIOUS, before);
    }
    if (before != NONE) {
      rows.set(before, NEXT, after);
    } else {
      rows.set(rows.get(row, PARENT), FIRST_CHILD, after);
    }
  }

  /** Folds the coldest leaves without files into their parents; says whether there was any. */
  private boolean sweep(int time, int spared) {
    if (triesUntilSweep > 0) {
      triesUntilSweep--;
      return false;
    }
    int before = rows.count();
    int goal = before - Math.max(1, max / SWEPT_SHARE);
    // Leaves that were not read in the longest windows go first; else every second leaf.
    for (int row = rows.end() - 1; row > ROOT && rows.count() > goal; row--) {
      if (row != spared && isIdleLeaf(row) && isCold(row, time)) {
        fold(row);
      }
    }
    boolean even = rows.count() == before;
    for (int row = rows.end() - 1; even && row > ROOT && rows.count() > goal; row--) {
      if (row != spared && (row & 1) == 0 && isIdleLeaf(row)) {
        fold(row);
      }
    }
    boolean freed = rows.count() < before;
    triesUntilSweep = freed ? 0 : max / SWEPT_SHARE;
    return freed;
  }

  /** Whether it has neither directories nor files of its own that are kept. */
  boolean isIdleLeaf(int row) {
    return isKept(row) && rows.get(row, FIRST_CHILD) == NONE && rows.get(row, FIRST_FILE) == NONE;
  }

  private boolean isCold(int row, int time) {
    int top = ladder.levels() - 1;
    int[] page = rows.page(row);
    int at = at(row);
    ladder.advance(page, at, time);
    return ladder.running(page, at, top) + ladder.whole(page, at, top, 1) <= 1;
  }

  private void fold(int row) {
    merge(parent(row), row);
    folded++;
    remove(row);
  }

  /** Removes a row without children and files; what it counted is forgotten. */
  void remove(int row) {
    unlink(row);
    index.remove(hash(row), row);
    rows.giveBack(row);
  }

  /** Calls for a directory and all below it, deepest first. */
  void below(int row, IntConsumer each) {
    int child = rows.get(row, FIRST_CHILD);
    while (child != NONE) {
      int after = rows.get(child, NEXT);
      below(child, each);
      child = after;
    }
    each.accept(row);
  }

  void stepBack(int time) {
    for (int row = 0; row < rows.end(); row++) {
      if (isKept(row)) {
        ladder.stepBack(rows.page(row), at(row), time);
      }
    }
  }
}
