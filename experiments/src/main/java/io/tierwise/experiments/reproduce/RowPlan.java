package io.tierwise.experiments.reproduce;

import java.util.Set;

/**
 * How a number is made.
 *
 * @param runs that it comes out of
 * @param calibrated whether a constant was set by this number, so that ours is no prediction
 * @param noEffect what {@link NullModel} is told; empty for nothing
 * @param cause why it does not reproduce; empty when it does
 */
public record RowPlan(
    RowKey key,
    String formula,
    Set<String> runs,
    boolean calibrated,
    String noEffect,
    String cause) {
  public RowPlan {
    runs = Set.copyOf(runs);
  }
}
