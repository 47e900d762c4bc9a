package io.tierwise.hadoop.autotier;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many jobs read each file. It follows the jobs one by one, so that a job costs what its own
 * files cost, however many others there are. One thread adds and removes; any may ask.
 */
final class NeededFiles {
  /** Own: of a job's file some 60 bytes are kept, so that all of them take 120 MB. */
  static final int FILES_MAX = 2_000_000;

  private final Map<Long, Integer> readers = new ConcurrentHashMap<>();
  private final int filesMax;
  private int files;
  private final AtomicInteger jobsLeftOut = new AtomicInteger();

  /**
   * Files of a job that are kept.
   *
   * @param leftOut whether none is, for there were too many
   */
  record Kept(Set<Long> files, boolean leftOut) {
    static final Kept NONE = new Kept(Set.of(), false);
  }

  NeededFiles(int filesMax) {
    this.filesMax = filesMax;
  }

  int filesMax() {
    return filesMax;
  }

  /** A job reads these. */
  Kept add(Set<Long> ofJob) {
    return replace(Kept.NONE, ofJob);
  }

  /**
   * A job that was added reads these from now on. Its files of before take no room from them, and
   * nobody sees a file of both that is not needed.
   */
  Kept replace(Kept before, Set<Long> ofJob) {
    Kept kept = kept(ofJob, filesMax - files + before.files().size());
    remove(before);
    return kept;
  }

  private Kept kept(Set<Long> ofJob, int room) {
    if (ofJob.size() > room) {
      jobsLeftOut.incrementAndGet();
      return new Kept(Set.of(), true);
    }
    Kept kept = new Kept(Set.copyOf(ofJob), false);
    kept.files().forEach(file -> readers.merge(file, 1, Integer::sum));
    files += kept.files().size();
    return kept;
  }

  /** A job that was added reads them no more. */
  void remove(Kept kept) {
    if (kept.leftOut()) {
      jobsLeftOut.decrementAndGet();
    }
    kept.files().forEach(file -> readers.computeIfPresent(file, NeededFiles::oneLess));
    files -= kept.files().size();
  }

  private static Integer oneLess(Long file, Integer jobs) {
    return jobs == 1 ? null : jobs - 1;
  }

  /** Whether a job reads the file, or may. */
  boolean has(long file) {
    return jobsLeftOut.get() > 0 || readers.containsKey(file);
  }

  /** Jobs of which no file is kept: each file may be theirs. */
  int jobsLeftOut() {
    return jobsLeftOut.get();
  }
}
