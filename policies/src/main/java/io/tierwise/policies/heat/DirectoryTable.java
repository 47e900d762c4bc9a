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

  private final WindowLadder ladder;
  private final RowPages rows;
  private final KeyIndex index = new KeyIndex();
  private final KeyIndex.Keys keys = this::hash;
  private final int max;
  private final long seed;
  private final int hashLow;
  private final int parent;
  private final int firstChild;
  private final SiblingLists siblings;
  private final int firstFile;
  private final int total;
  private final int renamed;
  private long folded;
  private int triesUntilSweep;

  DirectoryTable(WindowLadder ladder, int max, long seed) {
    this.ladder = ladder;
    this.max = max;
    this.seed = seed;
    hashLow = ladder.ints();
    parent = hashLow + 2;
    firstChild = parent + 1;
    int next = firstChild + 1;
    int previous = next + 1;
    firstFile = previous + 1;
    total = firstFile + 1;
    renamed = total + 1;
    rows = new RowPages(renamed + 1);
    siblings = new SiblingLists(rows, next, previous);
    byte[] root = {};
    add(root, hash(root, 0, 0), NONE);
  }

  /** The hash of a path. */
  long hash(byte[] path, int from, int to) {
    return ByteHash.hash(path, from, to, seed);
  }

  /** The hash of a row's path, which is part of its files' keys. */
  long hash(int row) {
    return rows.getLong(row, hashLow);
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
    return rows.get(row, parent);
  }

  int firstFile(int row) {
    return rows.get(row, firstFile);
  }

  void firstFile(int row, int file) {
    rows.set(row, firstFile, file);
  }

  int[] page(int row) {
    return rows.page(row);
  }

  int at(int row) {
    return rows.at(row);
  }

  void read(int row, int time) {
    ladder.add(rows.page(row), rows.at(row), time, 1);
    rows.page(row)[rows.at(row) + total]++;
  }

  /** Reads since the row was made, those of directories that were folded into it included. */
  int total(int row) {
    return rows.get(row, total);
  }

  /** Adds what another row counted. */
  void merge(int into, int from) {
    ladder.merge(rows.page(into), rows.at(into), rows.page(from), rows.at(from));
    rows.set(into, total, rows.get(into, total) + rows.get(from, total));
    renamedAt(into, rows.get(from, renamed));
  }

  /** A directory whose files' reads may be in the sketch, by other paths, got this path then. */
  void renamedAt(int row, int time) {
    rows.set(row, renamed, Math.max(rows.get(row, renamed), time));
  }

  /** When that was, the last time, of a directory or one above it; 0 for never. */
  int lastRenamed(byte[] path, int from, int to) {
    int last = rows.get(ROOT, renamed);
    for (int end = from + 1; end <= to; end++) {
      int row = end == to || path[end] == '/' ? find(path, from, end) : NONE;
      last = row == NONE ? last : Math.max(last, rows.get(row, renamed));
    }
    return last;
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
      ladder.start(rows.page(row), rows.at(row), time);
    }
    return row;
  }

  private int add(byte[] path, long hash, int above) {
    int row = rows.take(path);
    rows.setLong(row, hashLow, hash);
    rows.set(row, firstChild, NONE);
    rows.set(row, firstFile, NONE);
    index.add(hash, row);
    link(row, above);
    return row;
  }

  private void link(int row, int above) {
    rows.set(row, parent, above);
    siblings.putBefore(row, above == NONE ? NONE : rows.get(above, firstChild));
    if (above != NONE) {
      rows.set(above, firstChild, row);
    }
  }

  private void unlink(int row) {
    if (siblings.isFirst(row)) {
      rows.set(rows.get(row, parent), firstChild, siblings.next(row));
    }
    siblings.takeOut(row);
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
    return isKept(row) && rows.get(row, firstChild) == NONE && rows.get(row, firstFile) == NONE;
  }

  private boolean isCold(int row, int time) {
    int top = ladder.levels() - 1;
    int[] page = rows.page(row);
    int at = rows.at(row);
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
    int child = rows.get(row, firstChild);
    while (child != NONE) {
      int after = siblings.next(child);
      below(child, each);
      child = after;
    }
    each.accept(row);
  }

  void stepBack(int time) {
    for (int row = 0; row < rows.end(); row++) {
      if (isKept(row)) {
        ladder.stepBack(rows.page(row), rows.at(row), time);
      }
    }
  }
}
