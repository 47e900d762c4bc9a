package io.tierwise.policies.movement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps count of what is in the fast tier, or promised to it.
 *
 * <p>Source: DerbyhatS, 6.1.7: the counter goes up when input is prefetched or intermediate data is
 * configured for the fast tier, and down when the job is over. Input that no job is left for is not
 * counted any more; it stays as long as nothing else needs its room.
 *
 * <p>Jobs and files are small numbers that the host gives. A job that holds nothing takes no
 * memory; {@link #HOLDERS_MAX} bounds those that do. Not safe for concurrent use.
 */
public final class StorageCounter {
  /** Own: as many jobs that hold something as a large cluster has in its queues. */
  static final int HOLDERS_MAX = 100_000;

  /** Stands for no file. */
  public static final int NO_FILE = -1;

  private final Map<Integer, Long> persistent = new LinkedHashMap<>();

  /** That used longest ago comes first. */
  private final Map<Integer, Prefetched> prefetched = new LinkedHashMap<>();

  private final Map<Integer, Held> jobs = new LinkedHashMap<>();
  private long persistentBytes;
  private long prefetchedBytes;
  private long neededBytes;
  private long intermediateBytes;
  private long entries;

  /**
   * A file in the temporary region.
   *
   * @param entry tells it from what had its number before: a file that is gone, or the same one
   *     before it was popular
   */
  private record Prefetched(long bytes, int jobs, long entry) {}

  private record Held(int file, long entry, long intermediateBytes) {}

  /** Bytes in the persistent region. */
  public long persistentBytes() {
    return persistentBytes;
  }

  /** Bytes of the temporary region that jobs need, or will: DUX's StorageCounter. */
  public long countedBytes() {
    return neededBytes + intermediateBytes;
  }

  /** Bytes in the temporary region, those that nobody needs any more included. */
  public long temporaryBytes() {
    return prefetchedBytes + intermediateBytes;
  }

  /** Whether the file is in one of the regions. */
  public boolean has(int file) {
    return persistent.containsKey(file) || prefetched.containsKey(file);
  }

  /** Whether the file is in the persistent region. */
  public boolean isPersistent(int file) {
    return persistent.containsKey(file);
  }

  /** Whether one more job with that input counts nothing for it. */
  public boolean isNeeded(int file) {
    Prefetched input = prefetched.get(file);
    return persistent.containsKey(file) || (input != null && input.jobs() > 0);
  }

  /** Whether one more job may hold something. */
  boolean takesJob() {
    return jobs.size() < HOLDERS_MAX;
  }

  /**
   * A job holds its input, intermediate data, or both, until it is {@linkplain #over over}.
   *
   * @param file its input where that is in the fast tier; {@link #NO_FILE} otherwise. One that is
   *     in neither region is prefetched from now on
   */
  public void hold(int job, int file, long fileBytes, long intermediate) {
    int counted = persistent.containsKey(file) ? NO_FILE : file;
    if (counted == NO_FILE && intermediate == 0) {
      return;
    }
    long entry = 0;
    if (counted != NO_FILE) {
      Prefetched before = prefetched.remove(file);
      if (before == null) {
        prefetchedBytes += fileBytes;
      }
      Prefetched now =
          before == null
              ? new Prefetched(fileBytes, 1, ++entries)
              : new Prefetched(before.bytes(), before.jobs() + 1, before.entry());
      entry = now.entry();
      neededBytes += now.jobs() == 1 ? now.bytes() : 0;
      prefetched.put(file, now);
    }
    intermediateBytes += intermediate;
    jobs.put(job, new Held(counted, entry, intermediate));
  }

  /** A file is in the temporary region that no job needs, as for a host that began again. */
  public void found(int file, long bytes) {
    prefetched.put(file, new Prefetched(bytes, 0, ++entries));
    prefetchedBytes += bytes;
  }

  /** A job is over, however it ended; does nothing for one that holds nothing. */
  public void over(int job) {
    Held held = jobs.remove(job);
    if (held == null) {
      return;
    }
    intermediateBytes -= held.intermediateBytes();
    Prefetched input = prefetched.get(held.file());
    if (input != null && input.entry() == held.entry()) {
      int left = input.jobs() - 1;
      neededBytes -= left == 0 ? input.bytes() : 0;
      prefetched.remove(held.file());
      prefetched.put(held.file(), new Prefetched(input.bytes(), left, input.entry()));
    }
  }

  /**
   * Makes room in the temporary region: files that no job needs go, that used longest ago first.
   *
   * @return the files; enough of them only if {@link #countedBytes} leaves so much
   */
  List<Integer> evict(long bytesMax) {
    List<Integer> gone = new ArrayList<>();
    Iterator<Map.Entry<Integer, Prefetched>> oldest = prefetched.entrySet().iterator();
    while (temporaryBytes() > bytesMax && oldest.hasNext()) {
      Map.Entry<Integer, Prefetched> file = oldest.next();
      if (file.getValue().jobs() == 0) {
        prefetchedBytes -= file.getValue().bytes();
        gone.add(file.getKey());
        oldest.remove();
      }
    }
    return gone;
  }

  /** A file is popular: it belongs to the persistent region from now on, wherever it was. */
  void persist(int file, long bytes) {
    forget(file);
    persistent.put(file, bytes);
    persistentBytes += bytes;
  }

  /** A file is in the fast tier no more, as when it was deleted. */
  public void forget(int file) {
    Long popular = persistent.remove(file);
    persistentBytes -= popular == null ? 0 : popular;
    Prefetched input = prefetched.remove(file);
    if (input != null) {
      prefetchedBytes -= input.bytes();
      neededBytes -= input.jobs() > 0 ? input.bytes() : 0;
    }
  }
}
