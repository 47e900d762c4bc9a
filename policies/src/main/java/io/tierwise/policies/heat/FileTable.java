package io.tierwise.policies.heat;

import io.tierwise.core.data.ByteHash;
import io.tierwise.core.data.IdHash;
import java.util.Arrays;

/**
 * The rows of the hottest files. When there is no room for another the coldest eighth goes to the
 * sketch; a file that comes back brings the sketch's estimate with it, as the most that it may have
 * been read before.
 *
 * <p>Files are told apart by 64 bits of hash alone. Of a hundred million files, five million of
 * them with a row, two share one with a probability of 3e-5.
 *
 * <p>Source: the guarantee is that of Space-Saving (Metwally, Agrawal, El Abbadi, ICDT 2005): a
 * count is exact since its row was made, and too low by at most what the row was made with.
 */
final class FileTable {
  static final int NONE = RowPages.NONE;

  private static final int SWEPT_SHARE = 8;

  /** Own: the quantile of so many rows is right to a tenth of itself. */
  private static final int SAMPLE = 4_096;

  private final WindowLadder ladder;
  private final DirectoryTable directories;
  private final TailSketch tail;
  private final RowPages rows;
  private final KeyIndex index = new KeyIndex();
  private final KeyIndex.Keys keys = this::key;
  private final int max;
  private final long seed;
  private final int keyLow;
  private final int directory;
  private final SiblingLists siblings;
  private final int unseen;
  private final int total;
  private final int usedSeconds;
  private long evicted;

  FileTable(WindowLadder ladder, DirectoryTable directories, TailSketch tail, int max, long seed) {
    this.ladder = ladder;
    this.directories = directories;
    this.tail = tail;
    this.max = max;
    this.seed = seed;
    keyLow = ladder.ints();
    directory = keyLow + 2;
    int next = directory + 1;
    int previous = next + 1;
    unseen = previous + 1;
    total = unseen + 1;
    usedSeconds = total + 1;
    rows = new RowPages(usedSeconds + 1);
    siblings = new SiblingLists(rows, next, previous);
  }

  /** The key of a file by the two halves of its path. */
  long key(byte[] path, int from, int slash, int to) {
    return key(ByteHash.hash(path, from, slash, seed), path, slash, to);
  }

  /** The same where the hash of the directory's path is known. */
  long key(long directoryHash, byte[] path, int slash, int to) {
    long name = ByteHash.hash(path, slash + 1, to, seed);
    return IdHash.mix(directoryHash ^ Long.rotateLeft(name, Integer.SIZE));
  }

  private long key(int row) {
    return rows.getLong(row, keyLow);
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

  /** Rows that went to the sketch. */
  long evicted() {
    return evicted;
  }

  int[] page(int row) {
    return rows.page(row);
  }

  int at(int row) {
    return rows.at(row);
  }

  /** Reads since the row was made. */
  int total(int row) {
    return rows.get(row, total);
  }

  /** The most that it was read before the row was made. */
  int unseen(int row) {
    return rows.get(row, unseen);
  }

  long usedMillis(int row) {
    return Integer.toUnsignedLong(rows.get(row, usedSeconds)) * 1000;
  }

  /** The next file of the same directory. */
  int next(int row) {
    return siblings.next(row);
  }

  /** The whole path of a row. */
  byte[] path(int row) {
    byte[] above = directories.path(rows.get(row, directory));
    byte[] name = rows.name(row);
    byte[] path = Arrays.copyOf(above, above.length + 1 + name.length);
    path[above.length] = '/';
    System.arraycopy(name, 0, path, above.length + 1, name.length);
    return path;
  }

  int find(long key) {
    return index.find(key, keys);
  }

  void read(int row, int time, long millis) {
    int[] page = rows.page(row);
    int at = rows.at(row);
    ladder.add(page, at, time, 1);
    page[at + total]++;
    use(row, millis);
  }

  /** It is in use, and that is no read more. */
  void use(int row, long millis) {
    rows.set(row, usedSeconds, (int) (millis / 1000));
  }

  /**
   * Makes a row.
   *
   * @param above the row of its directory, or of one further up that stands for it
   */
  int add(long key, byte[] path, int from, int to, int above, int time) {
    if (rows.count() >= max) {
      evict(time);
    }
    int row = rows.take(Arrays.copyOfRange(path, from + directories.path(above).length + 1, to));
    ladder.start(rows.page(row), rows.at(row), time);
    rows.set(row, unseen, tail.estimate(key));
    put(row, key, above);
    return row;
  }

  private void put(int row, long key, int above) {
    rows.setLong(row, keyLow, key);
    rows.set(row, directory, above);
    siblings.putBefore(row, directories.firstFile(above));
    directories.firstFile(above, row);
    index.add(key, row);
  }

  private void takeOut(int row) {
    if (siblings.isFirst(row)) {
      directories.firstFile(rows.get(row, directory), siblings.next(row));
    }
    siblings.takeOut(row);
    index.remove(key(row), row);
  }

  /** Forgets a file. */
  void remove(int row) {
    takeOut(row);
    rows.giveBack(row);
  }

  /** Gives a file another path; a row that is there gives way. */
  void move(int row, long key, byte[] path, int from, int to, int above) {
    int there = find(key);
    if (there == row) {
      return;
    }
    if (there != NONE) {
      remove(there);
    }
    takeOut(row);
    rows.rename(row, Arrays.copyOfRange(path, from + directories.path(above).length + 1, to));
    put(row, key, above);
  }

  private void evict(int time) {
    int goal = Math.max(1, max / SWEPT_SHARE);
    int before = rows.count();
    while (before - rows.count() < goal) {
      long coldest = coldestShare(time);
      for (int row = 0; row < rows.end() && before - rows.count() < goal; row++) {
        if (isKept(row) && warmth(row, time) <= coldest) {
          tail.add(key(row), total(row));
          remove(row);
          evicted++;
        }
      }
    }
  }

  /** Reads in the longest windows, those that may be unseen included; then the last use. */
  private long warmth(int row, int time) {
    int[] page = rows.page(row);
    int at = rows.at(row);
    ladder.advance(page, at, time);
    int top = ladder.levels() - 1;
    long reads = (long) ladder.running(page, at, top) + ladder.whole(page, at, top, 1);
    return ((reads + page[at + unseen]) << Integer.SIZE)
        | Integer.toUnsignedLong(page[at + usedSeconds]);
  }

  private long coldestShare(int time) {
    long[] sample = new long[Math.min(SAMPLE, rows.count())];
    int step = Math.max(1, rows.end() / sample.length);
    int found = 0;
    for (int row = 0; row < rows.end() && found < sample.length; row += step) {
      if (isKept(row)) {
        sample[found++] = warmth(row, time);
      }
    }
    if (found == 0) {
      return Long.MAX_VALUE; // Few rows are left, and none on the steps.
    }
    Arrays.sort(sample, 0, found);
    return sample[found / SWEPT_SHARE];
  }

  void stepBack(int time) {
    for (int row = 0; row < rows.end(); row++) {
      if (isKept(row)) {
        ladder.stepBack(rows.page(row), rows.at(row), time);
      }
    }
  }
}
