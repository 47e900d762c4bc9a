package io.tierwise.simulator.measure;

import java.util.List;

/**
 * Bytes that left a tier that was too full.
 *
 * @param tier its name
 * @param flushes that were begun
 * @param neededBytes that had to leave, of all flushes together
 * @param freedBytes of the tier
 * @param surplusBytes of those, by dropping surplus replicas
 * @param fullestShare of its capacity that was ever seen in use
 * @param passedOver why files with replicas there stayed, each reason once
 * @param moves of all flushes
 */
public record FlushResult(
    String tier,
    long flushes,
    long neededBytes,
    long freedBytes,
    long surplusBytes,
    double fullestShare,
    List<String> passedOver,
    MovementResult moves) {
  public FlushResult {
    passedOver = List.copyOf(passedOver);
  }
}
