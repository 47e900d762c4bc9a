package io.tierwise.policies.scheduling;

import io.tierwise.core.action.Assign;
import java.util.SplittableRandom;

/** Helpers for answers in the tests of this package. */
final class Answers {
  private Answers() {}

  /** A cluster with two slots of each kind on every node. */
  static WorkedCluster cluster(SchedulingPolicy policy) {
    return new WorkedCluster(policy, 2, new SplittableRandom(3));
  }

  /** The job that got the slot. */
  static int jobOf(Assign answer) {
    return ((Assign.Given) answer).job();
  }
}
