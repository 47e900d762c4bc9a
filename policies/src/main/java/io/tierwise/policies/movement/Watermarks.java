package io.tierwise.policies.movement;

/**
 * How full a tier may get before data leaves it, and how full it is afterwards; shares of its
 * capacity. Source: DerbyhatS, 4.1.4 (faster tiers become full, and unused data is flushed to
 * slower ones). Own: two marks, so that a flush frees enough for a while.
 *
 * @param high above which a flush begins
 * @param low to which it brings the tier
 */
public record Watermarks(double high, double low) {
  /** Own: a tenth is free for writes, a fifth after a flush. */
  public static final Watermarks DEFAULT = new Watermarks(0.9, 0.8);

  public Watermarks {
    if (!(low >= 0 && low <= high && high <= 1)) {
      throw new IllegalArgumentException(
          "watermarks " + low + " and " + high + ": 0 <= low <= high <= 1 must hold");
    }
  }

  /** Bytes that have to leave a tier; 0 when it is not above the high mark. */
  public long bytesToFree(long capacityBytes, long usedBytes) {
    double capacity = (double) capacityBytes;
    return usedBytes > high * capacity ? usedBytes - (long) (low * capacity) : 0;
  }
}
