package io.tierwise.simulator;

import io.tierwise.core.action.Action;
import io.tierwise.core.view.ClusterView;

/** Hears of each decision of a run's policies, in the order in which they are made. */
@FunctionalInterface
public interface DecisionListener {
  /**
   * A policy has decided.
   *
   * @param seconds since the start of the run
   * @param view the cluster as it is then, which knows the volumes' names
   */
  void decided(double seconds, Action action, ClusterView view);
}
