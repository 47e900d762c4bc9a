package io.tierwise.policies.access;

import java.util.Arrays;

/**
 * The memory of {@link AdaptiveAccess}: for each arm, over all files and for each recently read
 * file, how many reads, bytes and seconds it took, old reads counting less.
 *
 * <p>The host keeps it and hands it in. Its clock is the number of reads observed, so it needs no
 * other. Memory is bounded: 4 numbers an arm a file, for a bounded number of files. Safe to use
 * from many threads; calls are short and lock the object.
 *
 * <p>A read's cost is its seconds (1 + {@value #REFUSAL_SHARE} k), k its refusals. Own: the seconds
 * hold what the reader itself lost; the share stands for the work that refusing nodes did for
 * nothing.
 */
public final class AdaptiveState {
  /** Own: a tenth of the read a refusal, so that refusals decide only between near equals. */
  static final double REFUSAL_SHARE = 0.1;

  /** Refusals counted of one read: HDFS's highest replication. */
  private static final int REFUSALS_MAX = 512;

  /** A read moves at least a packet of 64 KiB: keeps a read of one byte from looking a disaster. */
  private static final long BYTES_MIN = 64 * 1024;

  /** Exploring reads that can be saved up: a fast answer to a change, not a flood. */
  private static final int CREDIT_MAX = 10;

  private static final int MILLION = 1_000_000;

  final int armCount;
  private final double keep;
  private final RecentFiles files;

  /** Discounted sums of all files, by arm. */
  private final ArmSums all;

  /** Discounted sums of each file, by slot and arm; as old as {@link #fileReadsAt} says. */
  private final ArmSums byFile;

  private final long[] fileReadsAt;

  /** Sums that forget nothing, for the regret. */
  private final ArmSums ever;

  /** Exploring picks of each arm whose outcome is not known yet; forgets as the sums do. */
  private final double[] pending;

  /** Reads that were known when each arm was picked last to explore. */
  private final long[] exploredAt;

  private double trackingRegretSeconds;
  private long readCount;
  private long ignoredCount;
  private long pickCount;
  private long exploredCount;
  private long creditMillionths;

  AdaptiveState(int armCount, int memoryReads, int fileCountMax) {
    this.armCount = armCount;
    this.keep = 1 - 1.0 / memoryReads;
    this.files = new RecentFiles(fileCountMax);
    this.all = new ArmSums(armCount);
    this.byFile = new ArmSums(armCount * files.slotCount());
    this.ever = new ArmSums(armCount);
    this.fileReadsAt = new long[files.slotCount()];
    this.pending = new double[armCount];
    this.exploredAt = new long[armCount];
  }

  /**
   * Learns from a read. A read without bytes, or whose seconds are not positive and finite, is
   * ignored and counted.
   *
   * @param fileId stable id of the file; 0 when unknown: then only the sums of all files learn
   * @param arm index of the strategy that ordered the replicas
   * @param seconds from the first request to the last byte, refused attempts included
   * @param refusals how many nodes refused
   */
  public synchronized void observe(long fileId, int arm, long bytes, double seconds, int refusals) {
    if (arm < 0 || arm >= armCount) {
      throw new IllegalArgumentException("arm " + arm + " is outside 0-" + (armCount - 1));
    }
    if (bytes <= 0 || !(seconds > 0 && Double.isFinite(seconds))) {
      ignoredCount++;
      return;
    }
    double cost = seconds * (1 + REFUSAL_SHARE * Math.max(0, Math.min(refusals, REFUSALS_MAX)));
    double counted = Math.max(bytes, BYTES_MIN);
    readCount++;
    double best = all.leastSecondsPerByte(armCount);
    if (!Double.isNaN(best)) {
      trackingRegretSeconds += cost - counted * best;
    }
    all.scale(0, armCount, keep);
    for (int i = 0; i < armCount; i++) {
      pending[i] *= keep;
    }
    // Of picks made at one time as much is left of each: to take back all would forget others.
    double left = Math.pow(keep, (double) (readCount - exploredAt[arm]));
    pending[arm] = Math.max(0, pending[arm] - left);
    all.add(arm, counted, cost);
    ever.add(arm, counted, cost);
    if (fileId != 0) {
      byFile.add(freshSlot(fileId) * armCount + arm, counted, cost);
    }
  }

  private int freshSlot(long fileId) {
    int slot = files.find(fileId);
    if (slot == RecentFiles.NONE) {
      slot = files.take(fileId);
      byFile.clear(slot * armCount, armCount);
    } else {
      age(slot);
    }
    fileReadsAt[slot] = readCount;
    return slot;
  }

  /** A file's sums forget as fast as those of all files, caught up with when the file is used. */
  private void age(int slot) {
    long reads = readCount - fileReadsAt[slot];
    if (reads > 0) {
      byFile.scale(slot * armCount, armCount, Math.pow(keep, (double) reads));
      fileReadsAt[slot] = readCount;
    }
  }

  /** The file's slot, its sums brought up to date, or {@link RecentFiles#NONE}. */
  int slotOf(long fileId) {
    int slot = fileId == 0 ? RecentFiles.NONE : files.find(fileId);
    if (slot != RecentFiles.NONE) {
      age(slot);
    }
    return slot;
  }

  ArmSums all() {
    return all;
  }

  ArmSums byFile() {
    return byFile;
  }

  double pending(int arm) {
    return pending[arm];
  }

  /** Counts a pick and grants its share of an exploring one. Whether one may be spent now. */
  boolean grantPick(int explorationMillionths) {
    pickCount++;
    creditMillionths =
        Math.min(creditMillionths + explorationMillionths, (long) CREDIT_MAX * MILLION);
    return creditMillionths >= MILLION;
  }

  void spendExploration(int arm) {
    creditMillionths -= MILLION;
    exploredCount++;
    pending[arm]++;
    exploredAt[arm] = readCount;
  }

  /** Picks made so far. */
  public synchronized long pickCount() {
    return pickCount;
  }

  /**
   * Picks of an arm that was not the best as far as known; never above the share times the picks.
   */
  public synchronized long exploredCount() {
    return exploredCount;
  }

  /** Reads learnt from. */
  public synchronized long readCount() {
    return readCount;
  }

  /** Reads that could not be learnt from. */
  public synchronized long ignoredCount() {
    return ignoredCount;
  }

  /** Reads that the arm served, none forgotten. */
  public synchronized long readCount(int arm) {
    return Math.round(ever.reads(arm));
  }

  /** The arm's seconds per byte over all files, as remembered now; NaN when unknown. */
  public synchronized double secondsPerByte(int arm) {
    return all.secondsPerByte(arm);
  }

  /**
   * The regret in hindsight: what all reads took, less what their bytes would have taken at the
   * best arm's mean.
   *
   * <p>R = sum of s_i - (sum of b_i) * min over arms a of S_a / B_a: seconds; s_i cost and b_i
   * bytes of read i, S_a and B_a the sums over the reads that arm a served, none forgotten.
   *
   * <p>Own. An arm is judged by the reads it served itself, most of them while it was the best. So
   * the number is fair on a cluster that does not change, and too high on one that does: there
   * {@link #trackingRegretSeconds} is the one to look at. 0 when nothing was read.
   */
  public synchronized double regretSeconds() {
    double bytes = 0;
    for (int arm = 0; arm < armCount; arm++) {
      bytes += ever.bytes(arm);
    }
    return bytes == 0 ? 0 : costSeconds() - bytes * ever.leastSecondsPerByte(armCount);
  }

  /**
   * The regret against the arm that was the best at each moment, as far as known then.
   *
   * <p>R = sum of (s_i - b_i * min over arms a of m_a(i)): seconds; m_a(i) the arm's seconds per
   * byte over all files as remembered before read i. Own. Right after a change what is remembered
   * is still the old best, so the number is somewhat too low there.
   */
  public synchronized double trackingRegretSeconds() {
    return trackingRegretSeconds;
  }

  /** Seconds of all reads, refusals counted in: a regret is a share of these. */
  public synchronized double costSeconds() {
    double seconds = 0;
    for (int arm = 0; arm < armCount; arm++) {
      seconds += ever.seconds(arm);
    }
    return seconds;
  }

  /** Reads, bytes, seconds, and the squares that their spread comes from, by index. */
  static final class ArmSums {
    private static final int FIELDS = 4;

    /** Below this many reads nothing is remembered: the rest is rounding. */
    private static final double READS_MIN = 1e-9;

    private final double[] sums;

    ArmSums(int count) {
      sums = new double[count * FIELDS];
    }

    void add(int index, double bytes, double seconds) {
      int at = index * FIELDS;
      sums[at] += 1;
      sums[at + 1] += bytes;
      sums[at + 2] += seconds;
      sums[at + 3] += seconds * seconds / bytes;
    }

    void scale(int index, int count, double factor) {
      for (int i = index * FIELDS; i < (index + count) * FIELDS; i++) {
        sums[i] *= factor;
      }
    }

    void clear(int index, int count) {
      Arrays.fill(sums, index * FIELDS, (index + count) * FIELDS, 0);
    }

    double reads(int index) {
      double reads = sums[index * FIELDS];
      return reads < READS_MIN ? 0 : reads;
    }

    double bytes(int index) {
      return sums[index * FIELDS + 1];
    }

    double seconds(int index) {
      return sums[index * FIELDS + 2];
    }

    /** Mean, weighted by bytes; NaN when nothing is remembered. */
    double secondsPerByte(int index) {
      return reads(index) == 0 ? Double.NaN : seconds(index) / bytes(index);
    }

    /** The least mean of the first {@code count}; NaN when nothing is remembered of any. */
    double leastSecondsPerByte(int count) {
      double least = Double.NaN;
      for (int index = 0; index < count; index++) {
        double mean = secondsPerByte(index);
        if (!(mean >= least)) {
          least = Double.isNaN(mean) ? least : mean;
        }
      }
      return least;
    }

    /** Sum of b (c - mean)^2, c the seconds per byte of a read of b bytes; 0 when unknown. */
    double squaredDeviations(int index) {
      if (reads(index) == 0) {
        return 0;
      }
      return Math.max(0, sums[index * FIELDS + 3] - seconds(index) * secondsPerByte(index));
    }
  }
}
