package io.tierwise.simulator.scenario;

import io.tierwise.policies.movement.FastTierRegions;
import java.util.List;

/**
 * A fast tier that DUX's Adaptive Placement Manager shares out.
 *
 * @param tier its name
 * @param predictor of the files in the persistent region, for {@code PopularityPredictors.parse}
 * @param windowSeconds between two predictions
 * @param nodeBytesPerSecond of the copies into each node's fast devices
 * @param gainMin share of its time that a job has to gain
 * @param sla paths whose files come first into the persistent region, once they were read
 * @param sureWindows popular files come only where it is sure that their reads of so many windows
 *     pay for that; 0 where it is enough that they pay on the average
 */
public record FastTierSpec(
    String tier,
    FastTierRegions regions,
    String predictor,
    double windowSeconds,
    double nodeBytesPerSecond,
    double gainMin,
    List<String> sla,
    int sureWindows) {
  public FastTierSpec {
    sla = List.copyOf(sla);
  }
}
