package io.tierwise.simulator.scenario;

import java.util.List;

/**
 * Replicas that follow the popularity of input files.
 *
 * @param predictor for {@code PopularityPredictors.parse}; empty: replicas stay, storage is counted
 * @param windowSeconds between two predictions
 * @param secondary tier of the secondary store; empty for none
 * @param extraShareMax of the bytes with the default replicas, for additional ones; may be infinite
 * @param sla paths whose files stay in the primary store and get additional replicas first
 */
public record PopularitySpec(
    String predictor,
    double windowSeconds,
    String secondary,
    double extraShareMax,
    List<String> sla) {
  public PopularitySpec {
    sla = List.copyOf(sla);
  }
}
