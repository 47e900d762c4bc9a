package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;
import java.util.Objects;

/**
 * Each block of some files gets another number of replicas; the host copies and drops by itself.
 *
 * @param replicas of each block afterwards
 */
public record SetReplicas(String policy, String rule, int replicas, Cost cost) implements Action {
  public SetReplicas {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(rule, "rule");
    Objects.requireNonNull(cost, "cost");
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas is " + replicas + ", must be 1 or more");
    }
  }

  @Override
  public String what(ClusterView view) {
    return replicas + " replicas";
  }
}
