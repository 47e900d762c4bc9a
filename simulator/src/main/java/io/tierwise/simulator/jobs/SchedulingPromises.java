package io.tierwise.simulator.jobs;

import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SlotOffer;
import java.util.random.RandomGenerator;

/** Checks what scheduling policies answer: one of another jar that answers nothing is named. */
final class SchedulingPromises {
  private SchedulingPromises() {}

  static JobQueue newQueue(SchedulingPolicy policy, SlotKind slots, WorkView work) {
    return require(policy.newQueue(slots, work), policy, "made no queue");
  }

  static Assign assign(
      SchedulingPolicy policy,
      SlotOffer offer,
      JobQueue queue,
      WorkView work,
      RandomGenerator random) {
    Assign answer = policy.assign(offer, queue, work, random);
    return require(answer, policy, "gave no answer to the offer of a slot");
  }

  private static <T> T require(T answer, SchedulingPolicy policy, String otherwise) {
    if (answer == null) {
      throw broken(policy, otherwise);
    }
    return answer;
  }

  /** What ends a run: no cluster would do what such a policy says. */
  static IllegalStateException broken(SchedulingPolicy policy, String otherwise) {
    return new IllegalStateException("scheduling policy " + policy.name() + " " + otherwise);
  }
}
