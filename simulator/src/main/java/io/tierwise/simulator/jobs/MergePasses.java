package io.tierwise.simulator.jobs;

/**
 * How often intermediate data is written: once in runs as it leaves memory, then once for each pass
 * that merges runs into longer ones.
 *
 * <p>Source: Hadoop's mapreduce.task.io.sort.factor, 10 runs a merge by default, and
 * mapreduce.reduce.input.buffer.percent, 0: a reducer starts on runs on disk. A map merges all its
 * runs into one file; a reducer's last merge goes straight to the reduce function and is not
 * written. A pass merges no more runs than the next one needs: {@code n} runs become {@code f} by
 * merging {@code (n - f) f / (f - 1)} of them.
 */
final class MergePasses {
  private static final long RUNS_A_MERGE = 10;

  private MergePasses() {}

  /**
   * Bytes written to the temporary volume.
   *
   * @param bytes intermediate data of one task
   * @param sortBytes of it that memory holds
   * @param reduce whether a reducer merges it; else a map does
   */
  static long bytesWritten(long bytes, long sortBytes, boolean reduce) {
    if (bytes <= sortBytes) {
      return bytes;
    }
    long runs = (bytes + sortBytes - 1) / sortBytes;
    double times = 1 + timesMerged(runs) + (reduce ? 0 : 1);
    return (long) ((double) bytes * times);
  }

  /** How often a byte is written on average until a last merge can take all runs. */
  private static double timesMerged(long runs) {
    if (runs <= RUNS_A_MERGE) {
      return 0;
    }
    if (runs > RUNS_A_MERGE * RUNS_A_MERGE) {
      return 1 + timesMerged((runs + RUNS_A_MERGE - 1) / RUNS_A_MERGE);
    }
    double merged = (double) ((runs - RUNS_A_MERGE) * RUNS_A_MERGE) / (RUNS_A_MERGE - 1);
    return merged / (double) runs;
  }
}
