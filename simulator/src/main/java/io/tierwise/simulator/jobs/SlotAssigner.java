package io.tierwise.simulator.jobs;

import io.tierwise.core.action.Assign;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Task;
import io.tierwise.policies.scheduling.JobQueue;
import io.tierwise.policies.scheduling.SchedulingPolicy;
import io.tierwise.policies.scheduling.SlotOffer;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.random.RandomGenerator;

/**
 * Offers free slots to the scheduling policy and starts the tasks that it gives them to.
 *
 * <ol>
 *   <li>A job arrives: nodes with free slots ask in turn for maps, near their data or any; maps
 *       that any node serves alike get slots that are drawn.
 *   <li>A slot becomes free: it is offered to all jobs that wait; so is the memory of a node that
 *       limits it, by slots of both kinds.
 *   <li>A job's patience ends: its maps are offered slots near to far.
 *   <li>A slot that the policy refused is offered again when its answer says so.
 * </ol>
 *
 * <p>Nodes ask in turn, in an order that stays the same during a run, as heartbeats do; a turn
 * takes no time. Source: MapReduce 1 spreads a job that does not fill the cluster evenly
 * (CapBasedLoadManager; the FIFO scheduler's load factor), YARN's FairScheduler assigns one
 * container a heartbeat (yarn.scheduler.fair.assignmultiple), its CapacityScheduler up to 100.
 */
final class SlotAssigner {
  private static final String KEPT = "the node's memory is kept for the job that is next";

  private final TaskContext context;
  private final VirtualCluster cluster;
  private final Tasks tasks;
  private final SchedulingPolicy policy;
  private final Nearness farthestInTurn;
  private final RandomGenerator policyRandom;
  private final LiveWork work;
  private final JobQueue mapsWaiting;
  private final JobQueue reducesWaiting;
  private final Slots mapSlots;
  private final Slots reduceSlots;
  private final KeptMemory kept;
  private final Refusals refusals;
  private final FreeNodes nodes;
  private final AskingNodes asking;
  private final Patience patience;

  SlotAssigner(
      TaskContext context, Tasks tasks, SchedulingPolicy policy, RandomGenerator policyRandom) {
    this.context = context;
    cluster = context.cluster();
    this.tasks = tasks;
    this.policy = policy;
    this.farthestInTurn = policy.asksNearNodesFirst() ? Nearness.ON_NODE : Nearness.ANYWHERE;
    this.policyRandom = policyRandom;
    this.work = new LiveWork(context.engine(), cluster);
    this.mapSlots = work.slots(SlotKind.MAP);
    this.reduceSlots = work.slots(SlotKind.REDUCE);
    this.mapsWaiting = SchedulingPromises.newQueue(policy, SlotKind.MAP, work);
    this.reducesWaiting = SchedulingPromises.newQueue(policy, SlotKind.REDUCE, work);
    this.kept = new KeptMemory(work, mapsWaiting, reducesWaiting);
    this.refusals =
        new Refusals(
            context.engine(),
            this::offerIdle,
            () -> tasks.attempts().count() == 0 && kept.isAnyWaiting());
    this.nodes = new FreeNodes(context, work);
    this.asking = new AskingNodes(mapSlots, cluster.nodeCount(), context.random());
    patience = new Patience(context.engine(), mapSlots, policy.patienceNanos(), this::delayOver);
  }

  /** A job is here; its tasks do not wait yet. */
  void arrived(JobRun job) {
    work.arrived(job);
  }

  /** The attempt did its task; its slot is not free yet. */
  void taskDone(TaskAttempt attempt) {
    work.ended(attempt, context.engine().now() - attempt.startTick);
  }

  /** A job that runs, or null. */
  JobRun find(int job) {
    return work.find(job);
  }

  /** Why the last slot that was refused stayed free; empty when none was. */
  String lastRefusal() {
    return refusals.lastReason();
  }

  /** After how many seconds a task is late. */
  double lateAfterSeconds(StageRun stage, int task) {
    return policy.lateAfterSeconds(new Task(stage.job.id, stage.index, task), work);
  }

  /**
   * The job has maps that wait: free slots are offered to them at once. What happens to others does
   * not make one that waits already more patient.
   */
  void mapsWait(JobRun job) {
    if (!job.mapsAreQueued) {
      patience.begin(job);
    }
    job.mapsAreQueued = true;
    mapsWaiting.add(job.id);
    if (work.memory().isCounted()) {
      job.reducesAreQueued = false;
      reducesWaiting.remove(job.id);
    }
    giveMapSlotsInTurn(job);
    giveAnySlots(job);
    if (job.pendingMaps.count() > 0) {
      patience.callBackEvenIfOver(job);
    }
    forgetServed(job);
    refusals.changed();
  }

  private void giveAnySlots(JobRun job) {
    while (!job.anywhere.isEmpty() && mapSlots.freeNodeCount() > 0) {
      int node = nodes.beside(job, job.anywhere.peek());
      if (!offer(new SlotOffer(SlotKind.MAP, node, job.id, Nearness.UNPLACED))) {
        // It may want another kind of node.
        offerIdle(SlotKind.MAP);
        return;
      }
    }
  }

  /** Offers a slot; whether a task took it. */
  private boolean offer(SlotOffer offer) {
    return offer(offer, ClusterView.NONE);
  }

  /**
   * Offers a slot; whether a task took it.
   *
   * @param wanted the map that it was drawn for and that takes it, or none: as the answer says
   */
  private boolean offer(SlotOffer offer, int wanted) {
    JobQueue queue = offer.slots() == SlotKind.MAP ? mapsWaiting : reducesWaiting;
    Assign answer =
        kept.isKept(offer.node())
            ? new Assign.Refused(policy.name(), KEPT, Assign.Again.AFTER_ANY_CHANGE)
            : SchedulingPromises.assign(policy, offer, queue, work, policyRandom);
    if (answer instanceof Assign.Refused refused) {
      refusals.add(refused, offer.slots());
      return false;
    }
    Assign.Given given = (Assign.Given) answer;
    JobRun job = work.find(given.job());
    if (job == null
        || !offer.isFor(job.id, given.nearness())
        || !work.waits(offer.slots(), job.id, given.nearness(), offer.node())) {
      throw SchedulingPromises.broken(
          policy, "gave a slot to what does not wait, or to whom it was not offered: " + given);
    }
    start(job, given, offer, wanted);
    forgetServed(job);
    return true;
  }

  private void start(JobRun job, Assign.Given given, SlotOffer offer, int wanted) {
    TaskAttempt attempt;
    if (offer.slots() == SlotKind.REDUCE) {
      StageRun stage = job.firstWaiting();
      attempt = start(stage, job.takeFrom(stage, offer.node()), offer.node());
    } else if (wanted != ClusterView.NONE) {
      job.pendingMaps.take(wanted);
      attempt = startMap(job, wanted, offer.node());
    } else {
      attempt = startMap(job, work.takeMap(job, given.nearness(), offer.node()), offer.node());
    }
    boolean isNamed = given.temporaryTier() != TierTable.NONE;
    attempt.temporaryTier = (byte) (isNamed ? given.temporaryTier() : job.temporaryTier);
    if (given.nearness() == Nearness.ON_NODE) {
      patience.begin(job);
    }
  }

  /**
   * The job has reducers that wait: free slots are offered to them at once; where memory is
   * counted, when none of its maps waits, since these may need what reducers would hold until all
   * maps are done. Source: MapReduce's RMContainerAllocator asks for reducers as maps get theirs.
   * Deviation: it asks for some before all maps have.
   */
  void reducesWait(JobRun job) {
    if (work.memory().isCounted() && (job.hasWaitingMaps() || job.waitingReduces() == 0)) {
      return;
    }
    job.reducesAreQueued = true;
    reducesWaiting.add(job.id);
    while (job.waitingReduces() > 0 && reduceSlots.freeNodeCount() > 0) {
      int node = nodes.forReducer(job);
      if (!offer(new SlotOffer(SlotKind.REDUCE, node, job.id, Nearness.ANYWHERE))) {
        offerIdle(SlotKind.REDUCE);
        break;
      }
    }
    forgetServed(job);
    refusals.changed();
  }

  /**
   * Nodes with free slots ask in turn, as by heartbeats, and each takes work: one map a turn, or
   * all that it has slots for. A node that finds none does not ask again.
   */
  private void giveMapSlotsInTurn(JobRun job) {
    asking.ask(job.pendingMaps, context.random().nextInt(cluster.nodeCount()), farthestInTurn);
    while (asking.isAnyLeft() && job.pendingMaps.count() > 0) {
      asking.takeTurns(node -> takesMaps(job, node));
    }
  }

  /** A node's turn; whether it may want another one. */
  private boolean takesMaps(JobRun job, int node) {
    for (int i = 0; i < policy.tasksATurn(); i++) {
      boolean isAny = mapSlots.isFree(node) && job.pendingMaps.isWaiting(node, farthestInTurn);
      if (!isAny || !offer(new SlotOffer(SlotKind.MAP, node, job.id, farthestInTurn))) {
        return false;
      }
    }
    return true;
  }

  private void delayOver(long jobId) {
    JobRun job = work.find((int) jobId);
    if (job == null || !job.mapsAreQueued) {
      return;
    }
    job.delayIsTimed = false;
    if (patience.isOver(job)) {
      giveFarSlots(job);
    } else {
      patience.callBack(job);
    }
    forgetServed(job);
  }

  private void giveFarSlots(JobRun job) {
    while (job.pendingMaps.count() > 0 && mapSlots.freeNodeCount() > 0) {
      int map = job.pendingMaps.last();
      int node = nodes.inRackOf(job, map);
      if (!offer(new SlotOffer(SlotKind.MAP, node, job.id, Nearness.ANYWHERE), map)) {
        offerIdle(SlotKind.MAP);
        return;
      }
    }
  }

  private TaskAttempt startMap(JobRun job, int number, int node) {
    StageRun stage = job.stageOf(number);
    return start(stage, number - stage.firstTask, node);
  }

  /** Starts an attempt of a task on a node with a free slot. */
  TaskAttempt start(StageRun stage, int task, int node) {
    work.take(stage.slots, stage.job, node);
    ran(stage.job, 1);
    return tasks.start(stage, task, node);
  }

  /** A node beside its own that may take a second attempt, or {@link ClusterView#NONE}. */
  int drawSlotBeside(TaskAttempt late) {
    int node = work.slots(late.slots()).drawBeside(context.random(), late.node);
    int job = late.job().id;
    boolean takes =
        node != ClusterView.NONE
            && !kept.isKept(node)
            && work.hasMemory(late.slots(), job, node)
            && policy.allowsSecondAttempt(new Task(job, late.stage.index, late.task), node, work);
    return takes ? node : ClusterView.NONE;
  }

  private void ran(JobRun job, int change) {
    work.ran(job, change);
    mapsWaiting.changed(job.id);
    reducesWaiting.changed(job.id);
  }

  /** An attempt is over: its slot goes to who is next, its memory to several, of both kinds. */
  void slotFree(TaskAttempt attempt) {
    giveBack(attempt);
    boolean isShared = work.memory().isLimited(attempt.node);
    for (SlotKind kind : isShared ? kept.turns() : List.of(attempt.slots())) {
      boolean goesOn = true;
      while (goesOn && work.slots(kind).isFree(attempt.node)) {
        goesOn = offerSlot(kind, attempt.node) && isShared;
      }
    }
    refusals.changed();
  }

  /** An attempt is over; its slot stays free for now. */
  void giveBack(TaskAttempt attempt) {
    ran(attempt.job(), -1);
    work.give(attempt);
    leaveWhenOver(attempt.job());
  }

  private boolean offerSlot(SlotKind kind, int node) {
    boolean isTaken = offer(SlotOffer.toAll(kind, node));
    if (!isTaken && kind == SlotKind.MAP && !kept.isKept(node)) {
      for (PrimitiveIterator.OfInt jobs = mapsWaiting.inOrder(); jobs.hasNext(); ) {
        patience.callBack(work.find(jobs.nextInt()));
      }
    }
    return isTaken;
  }

  private void forgetServed(JobRun job) {
    if (job.mapsAreQueued && !job.hasWaitingMaps()) {
      job.mapsAreQueued = false;
      mapsWaiting.remove(job.id);
      if (work.memory().isCounted()) {
        reducesWait(job);
      }
    }
    if (job.reducesAreQueued && job.waitingReduces() == 0) {
      job.reducesAreQueued = false;
      reducesWaiting.remove(job.id);
    }
  }

  /** The job is over, whatever still waits; tasks of it may yet give their slots back. */
  void over(JobRun job) {
    mapsWaiting.remove(job.id);
    reducesWaiting.remove(job.id);
    job.mapsAreQueued = false;
    job.reducesAreQueued = false;
    job.isOver = true;
    leaveWhenOver(job);
  }

  private void leaveWhenOver(JobRun job) {
    if (job.isOver && job.runningTasks == 0) {
      work.left(job);
    }
  }

  /** Offers every free slot: after slots came back or a job went without being served. */
  void offerAll() {
    inOrder(mapsWaiting).forEach(this::mapsWait);
    inOrder(reducesWaiting).forEach(this::reducesWait);
  }

  private List<JobRun> inOrder(JobQueue queue) {
    List<JobRun> jobs = new ArrayList<>();
    queue.inOrder().forEachRemaining((int job) -> jobs.add(work.find(job)));
    return jobs;
  }

  /**
   * Offers the free slots of a kind to all jobs, in the order in which nodes ask. Where all that
   * wait are at a ceiling, one answer holds for all nodes, of which many may be free.
   */
  private void offerIdle(SlotKind kind) {
    Slots slots = work.slots(kind);
    JobQueue queue = kind == SlotKind.MAP ? mapsWaiting : reducesWaiting;
    for (int node : asking.order()) {
      boolean isTaken = true;
      while (isTaken && slots.isFree(node)) {
        isTaken = offer(SlotOffer.toAll(kind, node));
        if (!isTaken && !queue.inOrder().hasNext()) {
          return;
        }
      }
    }
  }

  /** Whether any node has one. */
  boolean areAny(SlotKind kind) {
    return work.slots(kind).areAny();
  }

  /** Slots that no task has, those of nodes that are down included. */
  int freeSlotCount() {
    return mapSlots.freeSlotCount() + reduceSlots.freeSlotCount();
  }

  /** See {@link JobTracker#checkMemory}. */
  void checkMemory(List<TaskAttempt> running) {
    work.memory().check(running);
  }

  /** A node takes no tasks until it is up again. */
  void setDown(int node, boolean isDown) {
    mapSlots.setDown(node, isDown);
    reduceSlots.setDown(node, isDown);
  }
}
