package io.tierwise.policies.recorded;

import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SlotOffer;
import java.util.SplittableRandom;

/**
 * A live host's offer of a slot, and the policy's answer.
 *
 * @param policy its specification
 * @param answer the answer's own line
 */
public record RecordedAssignment(
    RecordedWork work, String policy, long seed, SlotOffer offer, String answer) {

  /**
   * Offers a slot to the policy and records what it saw and what it answered.
   *
   * @param jobs those that wait or run
   */
  public static RecordedAssignment of(
      SchedulingPolicy policy, SlotOffer offer, WorkView work, long seed, int... jobs) {
    String answer = ask(policy, offer, work, seed, jobs).describe(work);
    return new RecordedAssignment(RecordedWork.of(work, jobs), policy.name(), seed, offer, answer);
  }

  /** Asks the policy again. */
  public Assign replay() {
    int[] jobs = work.jobs().stream().mapToInt(each -> each.job().id()).toArray();
    return ask(SchedulingPolicies.parse(policy), offer, work, seed, jobs);
  }

  private static Assign ask(
      SchedulingPolicy policy, SlotOffer offer, WorkView work, long seed, int... jobs) {
    JobQueue queue = policy.newQueue(offer.slots(), work);
    for (int job : jobs) {
      if (work.waiting(offer.slots(), job) > 0) {
        queue.add(job);
      }
    }
    return policy.assign(offer, queue, work, new SplittableRandom(seed));
  }
}
