package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.PolicySpec.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Gives free slots to waiting tasks: near their data while the job is willing to wait for it (delay
 * scheduling), then anywhere.
 *
 * <p>Nodes ask in turn, in an order that stays the same during a run, as heartbeats do; a turn is
 * no event, since it takes no time. Source: Hadoop's schedulers. MapReduce 1 spreads a job that
 * does not fill the cluster evenly (CapBasedLoadManager; the FIFO scheduler's load factor), YARN's
 * FairScheduler assigns one container a heartbeat (yarn.scheduler.fair.assignmultiple), its
 * CapacityScheduler up to 100 (per-node-heartbeat.maximum-container-assignments).
 */
final class SlotAssigner {
  private static final int CAPACITY_MAPS_A_TURN = 100;

  private final TaskContext context;
  private final VirtualCluster cluster;
  private final Tasks tasks;
  private final JobOrder order;
  private final List<JobRun> running;
  private final List<JobRun> mapsWaiting = new ArrayList<>();
  private final List<JobRun> reducesWaiting = new ArrayList<>();
  private final Slots mapSlots;
  private final Slots reduceSlots;
  private final int[][] nodesOfRack;

  /** All nodes, in the order in which they ask. */
  private final int[] askOrder;

  /** Scratch: the nodes that still ask. */
  private final int[] asking;

  private final int mapsATurn;
  private final long delayTicks;
  private final int delayOver;

  SlotAssigner(TaskContext context, Tasks tasks, Scheduler scheduler, List<JobRun> running) {
    this.context = context;
    this.cluster = context.cluster();
    this.tasks = tasks;
    this.order = new JobOrder(scheduler);
    this.mapsATurn = scheduler == Scheduler.CAPACITY ? CAPACITY_MAPS_A_TURN : 1;
    this.running = running;
    this.mapSlots = new Slots(slotsOf(NodeSpec::mapSlots));
    this.reduceSlots = new Slots(slotsOf(NodeSpec::reduceSlots));
    this.nodesOfRack = nodesByRack();
    this.askOrder = shuffledNodes();
    this.asking = new int[askOrder.length];
    this.delayTicks = Ticks.ofSeconds(context.model().localityDelaySeconds());
    this.delayOver = context.engine().register(this::delayOver);
  }

  private int[] slotsOf(ToIntFunction<NodeSpec> slots) {
    int[] counts = new int[cluster.nodeCount()];
    for (int node = 0; node < counts.length; node++) {
      counts[node] = slots.applyAsInt(cluster.node(node));
    }
    return counts;
  }

  private int[][] nodesByRack() {
    List<List<Integer>> nodes = new ArrayList<>();
    for (int rack = 0; rack < cluster.view().rackCount(); rack++) {
      nodes.add(new ArrayList<>());
    }
    for (int node = 0; node < cluster.nodeCount(); node++) {
      nodes.get(cluster.rackOf(node)).add(node);
    }
    return nodes.stream()
        .map(rack -> rack.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  private int[] shuffledNodes() {
    int[] nodes = new int[cluster.nodeCount()];
    for (int i = 0; i < nodes.length; i++) {
      int other = context.random().nextInt(i + 1);
      nodes[i] = nodes[other];
      nodes[other] = i;
    }
    return nodes;
  }

  /** The job has maps that wait: free slots are given to them at once. */
  void mapsWait(JobRun job) {
    if (!mapsWaiting.contains(job)) {
      mapsWaiting.add(job);
    }
    giveNearSlots(job);
    while (!job.anywhere.isEmpty() && mapSlots.freeNodeCount() > 0) {
      int map = job.anywhere.pop();
      startMap(job, map, nodeBeside(job, map));
    }
    if (job.pendingMaps.count() > 0) {
      job.waitingSinceTick = context.engine().now();
      callBackAfterDelay(job);
    }
    forgetServed(job);
  }

  /**
   * A free node for a map that is not placed by its data. Where a share of the job's maps is, the
   * others run in a rack that has their data, beside it. Source: access strategies, IV.B counts
   * tasks as data-local or rack-local.
   */
  private int nodeBeside(JobRun job, int map) {
    double share = job.spec.localityShare();
    boolean isBeside = job.input != null && share > 0 && share < 1;
    int node = isBeside ? freeNodeBeside(job.inputBlock(map)) : ClusterView.NONE;
    return node == ClusterView.NONE ? mapSlots.draw(context.random()) : node;
  }

  /**
   * The emptiest node without the block in a rack with it. No replica's rack comes first: policies
   * that put the fastest first would draw the readers to it.
   */
  private int freeNodeBeside(int block) {
    int replicas = context.namespace().replication();
    int first = context.random().nextInt(replicas);
    int best = ClusterView.NONE;
    for (int i = 0; i < replicas; i++) {
      int volume = context.namespace().replica(block, (first + i) % replicas);
      if (volume == ClusterView.NONE) {
        continue;
      }
      int[] nodes = nodesOfRack[cluster.rackOf(cluster.volume(volume).node())];
      int start = context.random().nextInt(nodes.length);
      for (int n = 0; n < nodes.length; n++) {
        int node = nodes[(start + n) % nodes.length];
        best = holds(node, block) ? best : mapSlots.emptier(best, node);
      }
    }
    return best;
  }

  private boolean holds(int node, int block) {
    for (int i = 0; i < context.namespace().replication(); i++) {
      int volume = context.namespace().replica(block, i);
      if (volume != ClusterView.NONE && cluster.volume(volume).node() == node) {
        return true;
      }
    }
    return false;
  }

  /** The job has reducers that wait: free slots are given to them at once. */
  void reducesWait(JobRun job) {
    if (!reducesWaiting.contains(job)) {
      reducesWaiting.add(job);
    }
    while (!job.pendingReduces.isEmpty() && reduceSlots.freeNodeCount() > 0) {
      startReduce(job, reduceSlots.draw(context.random()));
    }
    forgetServed(job);
  }

  /**
   * Nodes with free slots ask in turn, as by heartbeats, and each takes local work: one map a turn,
   * or all that it has slots for. Who finds none does not ask again.
   */
  private void giveNearSlots(JobRun job) {
    int askingCount = 0;
    int first = context.random().nextInt(askOrder.length);
    for (int i = 0; i < askOrder.length && askingCount < mapSlots.freeNodeCount(); i++) {
      int node = askOrder[(first + i) % askOrder.length];
      if (mapSlots.isFree(node)) {
        asking[askingCount++] = node;
      }
    }
    while (askingCount > 0 && job.pendingMaps.count() > 0) {
      int kept = 0;
      for (int i = 0; i < askingCount; i++) {
        if (takesLocalMaps(job, asking[i])) {
          asking[kept++] = asking[i];
        }
      }
      askingCount = kept;
    }
  }

  /** A node's turn; whether it may want another one. */
  private boolean takesLocalMaps(JobRun job, int node) {
    for (int i = 0; i < mapsATurn; i++) {
      int map = mapSlots.isFree(node) ? job.pendingMaps.takeOn(node) : ClusterView.NONE;
      if (map == ClusterView.NONE) {
        return false;
      }
      startMap(job, map, node);
    }
    return true;
  }

  /** Only when a slot is free is there something to wait for. */
  private void callBackAfterDelay(JobRun job) {
    if (mapSlots.freeNodeCount() > 0 && !job.delayIsTimed) {
      job.delayIsTimed = true;
      context.engine().at(job.waitingSinceTick + delayTicks, delayOver, job.id);
    }
  }

  private void delayOver(long jobId) {
    for (JobRun job : mapsWaiting) {
      if (job.id == jobId) {
        job.delayIsTimed = false;
        if (isTiredOfWaiting(job)) {
          giveFarSlots(job);
        } else {
          callBackAfterDelay(job);
        }
        forgetServed(job);
        return;
      }
    }
  }

  private boolean isTiredOfWaiting(JobRun job) {
    return context.engine().now() - job.waitingSinceTick >= delayTicks;
  }

  private void giveFarSlots(JobRun job) {
    while (job.pendingMaps.count() > 0 && mapSlots.freeNodeCount() > 0) {
      int map = job.pendingMaps.takeAny();
      int node = freeNodeInRackOf(job, map);
      startMap(job, map, node == ClusterView.NONE ? mapSlots.draw(context.random()) : node);
    }
  }

  /** The emptiest node in a rack of the map's data; none is favoured over its equals. */
  private int freeNodeInRackOf(JobRun job, int map) {
    int block = job.inputBlock(map);
    for (int i = 0; i < context.namespace().replication(); i++) {
      int volume = context.namespace().replica(block, i);
      if (volume != ClusterView.NONE) {
        int[] nodes = nodesOfRack[cluster.rackOf(cluster.volume(volume).node())];
        int start = context.random().nextInt(nodes.length);
        int best = ClusterView.NONE;
        for (int n = 0; n < nodes.length; n++) {
          best = mapSlots.emptier(best, nodes[(start + n) % nodes.length]);
        }
        if (best != ClusterView.NONE) {
          return best;
        }
      }
    }
    return ClusterView.NONE;
  }

  /** Starts an attempt of a map on a node with a free slot. */
  TaskAttempt startMap(JobRun job, int map, int node) {
    mapSlots.take(node);
    job.runningTasks++;
    return tasks.start(job, map, false, node);
  }

  /**
   * A node with a free map slot that is not {@code other}; {@link ClusterView#NONE} without any.
   */
  int drawMapSlot(int other) {
    int node = mapSlots.draw(context.random());
    return node == other ? ClusterView.NONE : node;
  }

  private void startReduce(JobRun job, int node) {
    reduceSlots.take(node);
    job.runningTasks++;
    tasks.start(job, job.pendingReduces.pop(), true, node);
  }

  /** An attempt is over: its slot goes to who is next. */
  void slotFree(TaskAttempt attempt) {
    giveBack(attempt);
    if (attempt.reduce) {
      offerReduceSlot(attempt.node);
    } else {
      offerMapSlot(attempt.node);
    }
  }

  /** An attempt is over; its slot stays free for now. */
  void giveBack(TaskAttempt attempt) {
    attempt.job.runningTasks--;
    (attempt.reduce ? reduceSlots : mapSlots).give(attempt.node);
  }

  private void offerMapSlot(int node) {
    if (!mapSlots.isFree(node) || mapsWaiting.isEmpty()) {
      return;
    }
    order.sort(mapsWaiting, running);
    for (JobRun job : mapsWaiting) {
      int map = mapFor(job, node);
      if (map != ClusterView.NONE) {
        startMap(job, map, node);
        forgetServed(job);
        return;
      }
    }
    mapsWaiting.forEach(this::callBackAfterDelay);
  }

  private int mapFor(JobRun job, int node) {
    int map = job.pendingMaps.takeOn(node);
    if (map != ClusterView.NONE) {
      job.waitingSinceTick = context.engine().now();
      return map;
    }
    if (!job.anywhere.isEmpty()) {
      return job.anywhere.pop();
    }
    if (!isTiredOfWaiting(job)) {
      return ClusterView.NONE;
    }
    for (int other : nodesOfRack[cluster.rackOf(node)]) {
      map = job.pendingMaps.takeOn(other);
      if (map != ClusterView.NONE) {
        return map;
      }
    }
    return job.pendingMaps.takeAny();
  }

  private void offerReduceSlot(int node) {
    if (!reduceSlots.isFree(node) || reducesWaiting.isEmpty()) {
      return;
    }
    order.sort(reducesWaiting, running);
    JobRun job = reducesWaiting.get(0);
    startReduce(job, node);
    forgetServed(job);
  }

  private void forgetServed(JobRun job) {
    if (!job.hasWaitingMaps()) {
      mapsWaiting.remove(job);
    }
    if (job.pendingReduces.isEmpty()) {
      reducesWaiting.remove(job);
    }
  }

  /** The job is over, whatever still waits. */
  void forget(JobRun job) {
    mapsWaiting.remove(job);
    reducesWaiting.remove(job);
  }

  /** Offers every free slot: after slots came back or a job went without being served. */
  void offerAll() {
    for (JobRun job : List.copyOf(mapsWaiting)) {
      mapsWait(job);
    }
    for (JobRun job : List.copyOf(reducesWaiting)) {
      reducesWait(job);
    }
  }

  /** Slots that no task has, those of nodes that are down included. */
  int freeSlotCount() {
    return mapSlots.freeSlotCount() + reduceSlots.freeSlotCount();
  }

  /** A node takes no tasks until it is up again. */
  void setDown(int node, boolean isDown) {
    mapSlots.setDown(node, isDown);
    reduceSlots.setDown(node, isDown);
  }
}
