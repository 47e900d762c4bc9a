package io.tierwise.policies.access;

import io.tierwise.core.cluster.Tier;

/**
 * The client reads that a serving node refuses.
 *
 * <p>The serving side (a DataNode, a simulated node) enforces it; a strategy only says what it was
 * made for, so that both sides can be configured from one specification. Only client reads are ever
 * refused, and never the last usable replica: that is the serving side's duty.
 *
 * @param limit what is counted
 * @param threshold reads in progress at which the next one is refused; {@link #MEASURED} for the
 *     tier's measured figure
 */
public record Admission(Limit limit, int threshold) {
  /** Stands for "the number of readers at which the tier's throughput was measured to peak". */
  public static final int MEASURED = 0;

  /**
   * Concurrent reads that saturate a link or a device when nobody measured it.
   *
   * <p>Source: access strategies, Fig. 7 and 8: four connections saturate the NIC, four readers the
   * SSD of the paper's cluster A.
   */
  public static final int PAPER_THRESHOLD = 4;

  /** Largest threshold that is accepted; beyond it a limit means nothing. */
  static final int THRESHOLD_MAX = 1_000_000;

  /** Nothing is refused. */
  public static final Admission EVERY_READ = new Admission(Limit.NONE, MEASURED);

  public Admission {
    if (threshold < 0 || threshold > THRESHOLD_MAX) {
      throw new IllegalArgumentException(
          "threshold " + threshold + " is outside 1-" + THRESHOLD_MAX);
    }
  }

  /** The unit in which a serving node counts its readers. */
  public enum Limit {
    NONE,
    /** Reads that the node is serving, N_c against T_c. */
    NODE_CONNECTIONS,
    /** Readers of one storage device, N_r against T_r. */
    STORAGE_READERS
  }

  /** Reads in progress at which {@code tier} refuses the next one; no limit is the largest int. */
  public int thresholdOf(Tier tier) {
    if (limit == Limit.NONE) {
      return Integer.MAX_VALUE;
    }
    if (threshold != MEASURED) {
      return threshold;
    }
    int measured = tier.deviceClass().readersAtPeak();
    return measured > 0 ? measured : PAPER_THRESHOLD;
  }
}
