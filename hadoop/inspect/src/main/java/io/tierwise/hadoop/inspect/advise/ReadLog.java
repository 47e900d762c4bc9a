package io.tierwise.hadoop.inspect.advise;

import io.tierwise.policies.heat.ReadListener;
import java.util.Arrays;

/**
 * The reads of a log, file by number and second, as far as they fit: of a longer log the latest
 * ones, and of the others only how many of each file there were, and when. Reads of a file that is
 * gone, and whose number another has, are left out.
 */
public final class ReadLog implements ReadListener {
  /** Own: readers of one file within that time are there at once; a log does not say how long. */
  public static final int TOGETHER_SECONDS = 60;

  private static final int CAPACITY_MIN = 1 << 10;

  private final int capacity;
  private int[] files = new int[CAPACITY_MIN];
  private int[] seconds = new int[CAPACITY_MIN];
  private long[] since = new long[CAPACITY_MIN];
  private long count;
  private final OlderReads older = new OlderReads();

  /** Keeps so many reads, 8 bytes each. */
  public ReadLog(int capacity) {
    this.capacity = Math.max(CAPACITY_MIN, capacity);
  }

  @Override
  public void begins(int file) {
    if (file >= since.length) {
      since = Arrays.copyOf(since, Math.max(file + 1, 2 * since.length));
    }
    since[file] = count;
    older.forget(file);
  }

  @Override
  public void read(int file, long millis) {
    if (count == files.length && count < capacity) {
      int length = Math.min(capacity, 2 * files.length);
      files = Arrays.copyOf(files, length);
      seconds = Arrays.copyOf(seconds, length);
    }
    int at = (int) (count % files.length);
    if (count >= files.length && count - files.length >= since[files[at]]) {
      older.add(files[at], seconds[at]);
    }
    files[at] = file;
    seconds[at] = (int) (millis / 1000);
    count++;
  }

  /** Reads that were heard of. */
  public long count() {
    return count;
  }

  /** Takes reads. */
  public interface Each {
    /** A read of a file that is still there, in the order of the log. */
    void read(int file, long second);
  }

  /** All reads that are kept, of files that are still there. */
  public void forEach(Each each) {
    for (long i = Math.max(0, count - files.length); i < count; i++) {
      int at = (int) (i % files.length);
      if (i >= since[files[at]]) {
        each.read(files[at], Integer.toUnsignedLong(seconds[at]));
      }
    }
  }

  /**
   * Reads of each file within a time, of all that were heard of. Of a file with reads inside and
   * outside of it that are no longer kept, it is their share of the time.
   *
   * @param from first second
   * @param to last second
   * @param filesEnd numbers of files are below
   */
  int[] readsWithin(long from, long to, int filesEnd) {
    int[] within = new int[filesEnd];
    for (int file = 0; file < filesEnd; file++) {
      within[file] = older.within(file, from, to);
    }
    forEach((file, second) -> within[file] += second >= from && second <= to ? 1 : 0);
    return within;
  }

  /**
   * The most reads of each file that began within a minute.
   *
   * @param filesEnd numbers of files are below
   */
  int[] readersMax(int filesEnd) {
    int[] starts = new int[filesEnd + 1];
    forEach((file, second) -> starts[file + 1]++);
    for (int file = 0; file < filesEnd; file++) {
      starts[file + 1] += starts[file];
    }
    int[] next = Arrays.copyOf(starts, filesEnd);
    int[] times = new int[starts[filesEnd]];
    forEach((file, second) -> times[next[file]++] = (int) second);
    int[] most = new int[filesEnd];
    for (int file = 0; file < filesEnd; file++) {
      int first = starts[file];
      for (int i = first; i < starts[file + 1]; i++) {
        while (Math.abs(times[i] - times[first]) >= TOGETHER_SECONDS) {
          first++;
        }
        most[file] = Math.max(most[file], i - first + 1);
      }
    }
    return most;
  }
}
