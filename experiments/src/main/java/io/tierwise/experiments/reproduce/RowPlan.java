package io.tierwise.experiments.reproduce;

import java.util.Set;

/**
 * How a number is made.
 *
 * @param runs that it comes out of
 * @param basis what it stands on
 * @param noEffect what {@link NullModel} is told; empty for nothing
 * @param cause why it does not reproduce; empty when it does
 */
public record RowPlan(
    RowKey key, String formula, Set<String> runs, Basis basis, String noEffect, String cause) {
  public RowPlan {
    runs = Set.copyOf(runs);
  }
}
