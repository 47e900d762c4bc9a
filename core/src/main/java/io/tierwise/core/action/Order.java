package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;
import java.util.List;
import java.util.Objects;

/**
 * A reader asks the replicas of a block in an order.
 *
 * <p>For those who look on: the order of each block that is read stands in an array of its reader,
 * and is made without allocating.
 *
 * @param replicas by their names for people, the first to be asked in front
 */
public record Order(String policy, String rule, List<String> replicas) implements Action {
  public Order {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(rule, "rule");
    replicas = List.copyOf(replicas);
  }

  @Override
  public String what(ClusterView view) {
    return reads();
  }

  private String reads() {
    return "read " + String.join(", then ", replicas);
  }

  /** As {@link #describe(ClusterView)}: no view is asked for names. */
  public String describe() {
    return policy + ": " + reads() + ": " + rule;
  }
}
