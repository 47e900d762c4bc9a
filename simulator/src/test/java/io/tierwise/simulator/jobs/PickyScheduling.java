package io.tierwise.simulator.jobs;

import io.tierwise.core.action.Assign;
import io.tierwise.core.action.Assign.Again;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.scheduling.DelayScheduling;
import io.tierwise.policies.scheduling.FifoOrder;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SchedulingProvider;
import io.tierwise.policies.scheduling.SlotOffer;
import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;
import java.util.random.RandomGenerator;

/**
 * A policy of somebody else, found on the class path: FIFO that takes slots of one kind of node or
 * of one region only, nothing before a time, the maps of a job together or not at all, a tier for
 * intermediate data, and to be asked again after a while. {@link #ANY} stands for a wish that it
 * does not have. It may break a promise, too: give slots to a job whoever they are offered to, or
 * to maps from anywhere whatever the offer says, or no task a turn.
 */
record PickyScheduling(
    int nodeKind,
    int region,
    int notBeforeSeconds,
    int wave,
    int temporaryTier,
    int againSeconds,
    int givesTo,
    boolean isFromAnywhere,
    int tasksATurn)
    implements SchedulingPolicy {
  private static final int ANY = -1;
  private static final DelayScheduling FIFO = DelayScheduling.of(new FifoOrder());

  /** Makes it from its text. */
  public static final class Provider implements SchedulingProvider {
    @Override
    public String name() {
      return "picky";
    }

    @Override
    public String usage() {
      return "picky:kind=N,region=N,not-before-seconds=N,wave=N,temporary-tier=N,again-seconds=N,"
          + "gives-to=JOB,from-anywhere=0|1,tasks-a-turn=N";
    }

    @Override
    public String summary() {
      return "first in, first out, on what it likes";
    }

    @Override
    public SchedulingPolicy make(SpecReader settings, Defaults defaults) {
      return new PickyScheduling(
          settings.integer("kind", ANY, 0, 100),
          settings.integer("region", ANY, 0, 100),
          settings.integer("not-before-seconds", 0, 0, 10_000),
          settings.integer("wave", 1, 1, 100),
          settings.integer("temporary-tier", ANY, 0, 63),
          settings.integer("again-seconds", ANY, 0, 100),
          settings.integer("gives-to", ANY, 0, 100),
          settings.integer("from-anywhere", 0, 0, 1) == 1,
          settings.integer("tasks-a-turn", 1, 0, 100));
    }
  }

  @Override
  public String name() {
    return SpecWriter.of("picky")
        .add("kind", nodeKind, ANY)
        .add("region", region, ANY)
        .add("not-before-seconds", notBeforeSeconds, 0)
        .add("wave", wave, 1)
        .add("temporary-tier", temporaryTier, ANY)
        .add("again-seconds", againSeconds, ANY)
        .add("gives-to", givesTo, ANY)
        .add("from-anywhere", isFromAnywhere ? 1 : 0, 0)
        .add("tasks-a-turn", tasksATurn, 1)
        .toString();
  }

  @Override
  public JobQueue newQueue(SlotKind slots, WorkView work) {
    return FIFO.newQueue(slots, work);
  }

  @Override
  public Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random) {
    long notBeforeNanos = notBeforeSeconds * 1_000_000_000L;
    if (work.nowNanos() < notBeforeNanos) {
      return new Assign.Refused(name(), "too early", Again.AT, notBeforeNanos);
    }
    int itsRegion = work.cluster().regionOfRack(work.cluster().rackOfNode(offer.node()));
    boolean isLiked =
        (nodeKind == ANY || work.kindOfNode(offer.node()) == nodeKind)
            && (region == ANY || itsRegion == region);
    if (!isLiked) {
      Again again = againSeconds == ANY ? Again.AS_EVER : Again.AT;
      long atNanos = work.nowNanos() + againSeconds * 1_000_000_000L;
      return new Assign.Refused(name(), "another kind of node is wanted", again, atNanos);
    }
    Assign answer = FIFO.assign(offer, queue, work, random);
    if (!(answer instanceof Assign.Given given)) {
      return answer;
    }
    int free = 0;
    for (int kind = 0; kind < work.nodeKindCount(); kind++) {
      for (int other = 0; other < work.cluster().regionCount(); other++) {
        free += work.freeSlots(offer.slots(), kind, other);
      }
    }
    boolean begins = work.running(given.job()) == 0 && offer.slots() == SlotKind.MAP;
    if (begins && free < Math.min(wave, work.waiting(offer.slots(), given.job()))) {
      return new Assign.Refused(name(), "a wave does not fit", Again.AFTER_ANY_CHANGE);
    }
    return new Assign.Given(
        given.policy(),
        given.rule(),
        givesTo == ANY ? given.job() : givesTo,
        isFromAnywhere && offer.slots() == SlotKind.MAP ? Nearness.ANYWHERE : given.nearness(),
        given.score(),
        temporaryTier);
  }

  @Override
  public long patienceNanos() {
    return FIFO.patienceNanos();
  }
}
