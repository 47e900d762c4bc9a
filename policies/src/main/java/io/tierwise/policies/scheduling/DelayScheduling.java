package io.tierwise.policies.scheduling;

import io.tierwise.core.action.Assign;
import io.tierwise.core.action.Assign.Again;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Task;
import io.tierwise.policies.text.SpecWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.random.RandomGenerator;

/**
 * Jobs in an order, and each waits a while for a slot near its data.
 *
 * <ol>
 *   <li>Go through the jobs in order.
 *   <li>A task whose data lies on the node takes the slot, or one that has no place of its own.
 *   <li>Else, when the job has waited long enough for a near slot: a task whose data lies in the
 *       rack, then any.
 *   <li>Else the next job is asked; when none is left, the slot stays free.
 * </ol>
 *
 * <p>Source: Zaharia et al., Delay scheduling, EuroSys 2010, Alg. 2. Deviation: one wait for rack
 * and cluster, in time and not in skipped offers, so that it means the same on clusters of all
 * sizes.
 */
public final class DelayScheduling implements SchedulingPolicy {
  static final String DELAY = "delay-seconds";
  static final String LATE = "late-factor";
  static final String NEAR_FIRST = "near-first";

  /** Three seconds, a heartbeat of a task tracker. */
  static final long PATIENCE_NANOS = 3_000_000_000L;

  private static final String FAR = "no task's data is near, and no job has waited long enough";
  private static final String HELD = "what waits is held back: its queue is at its ceiling";

  private final JobOrder order;
  private final long patienceNanos;
  private final SecondAttempts secondAttempts;
  private final boolean nearFirst;

  /** Made once: each decision tells it, and an order with settings puts its name together. */
  private final String orderName;

  /** Jobs whose near nodes are asked first when they arrive. */
  public DelayScheduling(JobOrder order, long patienceNanos, SecondAttempts secondAttempts) {
    this(order, patienceNanos, secondAttempts, true);
  }

  /**
   * Jobs in an order.
   *
   * @param order which job comes first
   * @param patienceNanos how long a job waits
   * @param secondAttempts of tasks that are late
   * @param nearFirst whether the nodes near a job's data are asked first when it arrives
   */
  public DelayScheduling(
      JobOrder order, long patienceNanos, SecondAttempts secondAttempts, boolean nearFirst) {
    if (patienceNanos < 0) {
      throw new IllegalArgumentException("a delay of " + patienceNanos + " ns is negative");
    }
    this.order = order;
    this.patienceNanos = patienceNanos;
    this.secondAttempts = secondAttempts;
    this.nearFirst = nearFirst;
    this.orderName = order.name();
  }

  /** That order with the usual delay, and no second attempts. */
  public static DelayScheduling of(JobOrder order) {
    return new DelayScheduling(order, PATIENCE_NANOS, SecondAttempts.NEVER);
  }

  @Override
  public String name() {
    SpecWriter text = SpecWriter.of(orderName);
    text.add(DELAY, decimal(patienceNanos, 9), decimal(PATIENCE_NANOS, 9));
    if (Double.isFinite(secondAttempts.lateFactor())) {
      text.add(
          LATE,
          BigDecimal.valueOf(secondAttempts.lateFactor()).stripTrailingZeros().toPlainString(),
          "");
    }
    text.add(NEAR_FIRST, nearFirst, true);
    return text.toString();
  }

  private static String decimal(long units, int scale) {
    return BigDecimal.valueOf(units, scale).stripTrailingZeros().toPlainString();
  }

  @Override
  public JobQueue newQueue(SlotKind slots, WorkView work) {
    return order.newQueue(work);
  }

  @Override
  public Assign assign(SlotOffer offer, JobQueue queue, WorkView work, RandomGenerator random) {
    if (offer.job() != WorkView.NONE) {
      if (!order.mayTake(offer.job(), work)) {
        return refused(true);
      }
      Optional<Nearness> nearest = nearest(offer, offer.job(), work);
      return nearest.isEmpty() ? refused(false) : given(offer.job(), nearest.get(), work);
    }
    for (PrimitiveIterator.OfInt jobs = queue.inOrder(); jobs.hasNext(); ) {
      int job = jobs.nextInt();
      Optional<Nearness> nearest = nearest(offer, job, work);
      if (nearest.isPresent()) {
        return given(job, nearest.get(), work);
      }
    }
    return refused(queue.holdsBack());
  }

  private Assign given(int job, Nearness nearness, WorkView work) {
    return new Assign.Given(orderName, order.rule(), job, nearness, order.score(job, work));
  }

  private Assign refused(boolean heldBack) {
    return heldBack
        ? new Assign.Refused(orderName, HELD, Again.AFTER_ANY_CHANGE)
        : new Assign.Refused(orderName, FAR, Again.AS_EVER);
  }

  /** How near the nearest task stands that may take the slot. */
  private Optional<Nearness> nearest(SlotOffer offer, int job, WorkView work) {
    if (work.waits(offer.slots(), job, Nearness.ON_NODE, offer.node())) {
      return Optional.of(Nearness.ON_NODE);
    }
    if (offer.farthest() != Nearness.ON_NODE
        && work.waits(offer.slots(), job, Nearness.UNPLACED, offer.node())) {
      return Optional.of(Nearness.UNPLACED);
    }
    if (offer.farthest().compareTo(Nearness.IN_RACK) < 0 || work.waitedNanos(job) < patienceNanos) {
      return Optional.empty();
    }
    if (work.waits(offer.slots(), job, Nearness.IN_RACK, offer.node())) {
      return Optional.of(Nearness.IN_RACK);
    }
    boolean isAnywhere =
        offer.farthest() == Nearness.ANYWHERE
            && work.waits(offer.slots(), job, Nearness.ANYWHERE, offer.node());
    return isAnywhere ? Optional.of(Nearness.ANYWHERE) : Optional.empty();
  }

  @Override
  public long patienceNanos() {
    return patienceNanos;
  }

  @Override
  public boolean asksNearNodesFirst() {
    return nearFirst;
  }

  @Override
  public List<String> queueNames() {
    return order.queueNames();
  }

  @Override
  public int tasksATurn() {
    return order.tasksATurn();
  }

  @Override
  public double lateAfterSeconds(Task task, WorkView work) {
    return secondAttempts.lateAfterSeconds(task, work);
  }

  @Override
  public boolean allowsSecondAttempt(Task task, int node, WorkView work) {
    return order.mayTake(task.job(), work);
  }

  /** Policies of one name are one policy: the name tells all settings. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DelayScheduling same && name().equals(same.name());
  }

  @Override
  public int hashCode() {
    return name().hashCode();
  }
}
