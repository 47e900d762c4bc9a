package io.tierwise.cli.reproduce;

import java.util.Set;

/**
 * How a number is made.
 *
 * @param runs that it comes out of
 * @param calibrated whether a constant was set by this number, so that ours is no prediction
 * @param cause why it does not reproduce; empty when it does
 */
record RowPlan(RowKey key, String formula, Set<String> runs, boolean calibrated, String cause) {
  RowPlan {
    runs = Set.copyOf(runs);
  }
}
