package com.example.policies;

import io.tierwise.core.action.Assign;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.DelayScheduling;
import io.tierwise.policies.scheduling.FifoOrder;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SchedulingProvider;
import io.tierwise.policies.scheduling.SecondAttempts;
import io.tierwise.policies.scheduling.SlotOffer;
import io.tierwise.policies.text.SpecReader;
import java.util.random.RandomGenerator;

/** First in, first out, and nothing on nodes of one kind: those are kept for something else. */
public record KeepKindScheduling(int keptKind, DelayScheduling fifo) implements SchedulingPolicy {
  @Override
  public String name() {
    return "keep-kind:kind=" + keptKind;
  }

  @Override
  public JobQueue newQueue(SlotKind slots, WorkView work) {
    return fifo.newQueue(slots, work);
  }

  @Override
  public Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random) {
    return work.kindOfNode(offer.node()) == keptKind
        ? new Assign.Refused(name(), "the node is kept free", Assign.Again.AS_EVER)
        : fifo.assign(offer, queue, work, random);
  }

  /** Makes it from the text {@code keep-kind:kind=N}; kinds count from 0. */
  public static final class Provider implements SchedulingProvider {
    @Override
    public String name() {
      return "keep-kind";
    }

    @Override
    public String usage() {
      return "keep-kind:kind=N";
    }

    @Override
    public String summary() {
      return "first in, first out, none on one kind of node";
    }

    @Override
    public SchedulingPolicy make(SpecReader settings, Defaults defaults) {
      DelayScheduling fifo = new DelayScheduling(new FifoOrder(), 0, SecondAttempts.NEVER);
      return new KeepKindScheduling(settings.integer("kind", 0, 0, 100), fifo);
    }
  }
}
