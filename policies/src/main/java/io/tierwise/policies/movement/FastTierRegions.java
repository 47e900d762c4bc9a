package io.tierwise.policies.movement;

/**
 * How the fast tiers of all nodes together are split.
 *
 * <p>Source: DerbyhatS, 6.1.4 and 6.1.7. Popular input is in the persistent region; input that was
 * prefetched for jobs that wait, and intermediate data, are in the temporary one.
 *
 * @param persistentBytes of the persistent region
 * @param temporaryBytes of the temporary region
 * @param bufferBytes of the temporary region, kept free for jobs that need more than was predicted
 */
public record FastTierRegions(long persistentBytes, long temporaryBytes, long bufferBytes) {
  /** Refuses regions that are none. */
  public FastTierRegions {
    if (persistentBytes < 0 || bufferBytes < 0 || temporaryBytes < bufferBytes) {
      throw new IllegalArgumentException(
          "regions of "
              + persistentBytes
              + " and "
              + temporaryBytes
              + " bytes with a buffer of "
              + bufferBytes
              + ": give 0 or more, and a buffer no larger than the temporary region");
    }
  }

  /** Bytes of the temporary region that jobs may plan with. */
  public long plannedBytesMax() {
    return temporaryBytes - bufferBytes;
  }
}
