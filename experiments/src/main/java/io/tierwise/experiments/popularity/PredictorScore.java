package io.tierwise.experiments.popularity;

/**
 * How well a predictor did, over all windows that it predicted.
 *
 * @param readBytes bytes read in these windows
 * @param fastBytes bytes of these that were read from the fast tier
 * @param bestFastBytes the most that a tier of that size could have served: a bound, which counts
 *     the last file that fits in part
 * @param precision share of the files in the fast tier that were read
 * @param recall share of the known files that were read which were in the fast tier
 * @param replicaError mean difference between the predicted replicas and those that as many readers
 *     at one time would have wanted, over files that were read
 * @param storageShare bytes that all known files take with the predicted replicas, over those with
 *     the default number
 * @param promotedBytes bytes that came into the fast tier
 */
public record PredictorScore(
    String predictor,
    double windowSeconds,
    int windows,
    long readBytes,
    long fastBytes,
    long bestFastBytes,
    double precision,
    double recall,
    double replicaError,
    double storageShare,
    long promotedBytes) {
  /** Share of all bytes that were read from the fast tier. */
  public double fastShare() {
    return share(fastBytes);
  }

  /**
   * The bytes that were read from the slow tier and need not have been, as a share of all bytes
   * read.
   */
  public double regretShare() {
    return share(bestFastBytes - fastBytes);
  }

  private double share(long bytes) {
    return readBytes == 0 ? 0 : (double) bytes / readBytes;
  }
}
