package io.tierwise.simulator.jobs;

import io.tierwise.simulator.scenario.ModelSpec;

/**
 * The runs that a reducer writes of what it fetched.
 *
 * <p>Source: Hadoop's {@code MergeManagerImpl}. Segments of maps gather in memory until they fill
 * the buffer (mapreduce.reduce.shuffle.merge.percent, 0.66, of
 * mapreduce.reduce.shuffle.input.buffer.percent, 0.70, of the heap), and go to disk as one run. A
 * segment of more than a quarter (mapreduce.reduce.shuffle.memory.limit.percent) of the 0.70 is a
 * run of its own. In the end what is still in memory is written, too, but for what
 * mapreduce.reduce.input.buffer.percent, 0 by default, lets stay there while it reduces. Deviation:
 * with {@code sort-factor} runs or more on disk Hadoop merges the last segments from memory, here
 * they are written first; it also merges on disk while it fetches, from 2 {@code sort-factor} - 1
 * runs on, here when all is fetched: of 203 runs, ten at a time, its merges read 1.6 to 1.7 times
 * all runs, the more the faster they are, here 1.57 times.
 *
 * @param count of runs
 * @param bytes of all of them; 0 when memory keeps all
 * @param shareOfInput those bytes as a share of all that it fetched
 * @param bytesMeanwhile of those bytes what is written before all is fetched: all runs but the last
 *     one, and all segments that are runs of their own
 */
record ReduceRuns(long count, long bytes, double shareOfInput, long bytesMeanwhile) {
  /** Share of the merge threshold that one segment may have: 0.25 of what it is 0.66 of. */
  private static final double SEGMENT_SHARE_MAX = 0.25 / 0.66;

  private static final ReduceRuns NONE = new ReduceRuns(0, 0, 0, 0);

  /**
   * The runs of one reducer.
   *
   * @param inputBytes that it fetched
   * @param maps segments that these came in
   */
  static ReduceRuns of(long inputBytes, int maps, ModelSpec model) {
    if (inputBytes == 0) {
      return NONE;
    }
    long buffer = model.reduceBufferBytes();
    if ((double) inputBytes / maps > SEGMENT_SHARE_MAX * (double) buffer) {
      return new ReduceRuns(maps, inputBytes, 1, inputBytes);
    }
    long full = (inputBytes - 1) / buffer;
    long inMemory = inputBytes - full * buffer;
    long kept = Math.min(inMemory, model.reduceKeptBytes());
    long bytes = inputBytes - kept;
    long count = full + (kept < inMemory ? 1 : 0);
    if (count == 0) {
      return NONE;
    }
    long meanwhile = Math.min(full * buffer, bytes);
    return new ReduceRuns(count, bytes, (double) bytes / (double) inputBytes, meanwhile);
  }
}
