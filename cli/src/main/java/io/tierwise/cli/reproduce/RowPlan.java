package io.tierwise.cli.reproduce;

import java.util.Set;

/**
 * How a number is made.
 *
 * @param runs that it comes out of
 * @param cause why it does not reproduce; empty when it does
 */
record RowPlan(RowKey key, String formula, Set<String> runs, String cause) {
  RowPlan {
    runs = Set.copyOf(runs);
  }
}
