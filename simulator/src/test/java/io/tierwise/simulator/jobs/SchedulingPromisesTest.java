package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SlotOffer;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SchedulingPromisesTest {
  /** Answers nothing. */
  private record Silent() implements SchedulingPolicy {
    @Override
    public String name() {
      return "silent";
    }

    @Override
    public JobQueue newQueue(SlotKind slots, WorkView work) {
      return null;
    }

    @Override
    public Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random) {
      return null;
    }
  }

  @Test
  void aPolicyThatAnswersNothingIsNamed() {
    Silent policy = new Silent();
    assertThatIllegalStateException()
        .isThrownBy(() -> SchedulingPromises.newQueue(policy, SlotKind.MAP, null))
        .withMessage("scheduling policy silent made no queue");
    SlotOffer offer = SlotOffer.toAll(SlotKind.MAP, 0);
    assertThatIllegalStateException()
        .isThrownBy(
            () -> SchedulingPromises.assign(policy, offer, null, null, new SplittableRandom(1)))
        .withMessage("scheduling policy silent gave no answer to the offer of a slot");
  }
}
