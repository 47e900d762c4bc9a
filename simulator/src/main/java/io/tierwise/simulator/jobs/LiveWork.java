package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Application;
import io.tierwise.core.work.Job;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.workload.JobSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The view of scheduling policies on a run: a window on the jobs that run, with the counters that
 * are kept for them. A job's queue is its application; equal nodes are those of one name.
 */
final class LiveWork implements WorkView {
  private final Engine engine;
  private final VirtualCluster cluster;

  /** By id; null for jobs that are over. A policy asks for a job several times a decision. */
  private JobRun[] jobs = new JobRun[64];

  private final List<String> queueNames = new ArrayList<>();
  private final Map<String, Integer> queues = new HashMap<>();
  private int[] runningInQueue = new int[8];

  /** By queue: what is known of its application's tasks. */
  private final List<TaskTimes> taskTimes = new ArrayList<>();

  private final List<String> nodeKinds = new ArrayList<>();
  private final int[] kindOfNode;
  private final int[][] nodesOfRack;
  private final Slots mapSlots;
  private final Slots reduceSlots;
  private final NodeMemory memory;

  LiveWork(Engine engine, VirtualCluster cluster) {
    this.engine = engine;
    this.cluster = cluster;
    this.kindOfNode = new int[cluster.nodeCount()];
    int[] groups = new int[cluster.nodeCount()];
    for (int node = 0; node < groups.length; node++) {
      kindOfNode[node] = kind(cluster.node(node).name());
      groups[node] = group(kindOfNode[node], cluster.regionOf(node));
    }
    this.nodesOfRack = nodesByRack();
    this.mapSlots = new Slots(slotsOf(NodeSpec::mapSlots), groups);
    this.reduceSlots = new Slots(slotsOf(NodeSpec::reduceSlots), groups);
    this.memory =
        new NodeMemory(
            IntStream.range(0, groups.length)
                .mapToLong(node -> cluster.node(node).taskMemoryBytes())
                .toArray());
  }

  private int kind(String name) {
    int known = nodeKinds.indexOf(name);
    if (known >= 0) {
      return known;
    }
    nodeKinds.add(name);
    return nodeKinds.size() - 1;
  }

  private int group(int nodeKind, int region) {
    return nodeKind * cluster.view().regionCount() + region;
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

  int[] nodesOfRack(int rack) {
    return nodesOfRack[rack];
  }

  Slots slots(SlotKind slots) {
    return slots == SlotKind.MAP ? mapSlots : reduceSlots;
  }

  NodeMemory memory() {
    return memory;
  }

  /** A task of the job gets a slot, and the memory that it asks for. */
  void take(SlotKind slots, JobRun job, int node) {
    slots(slots).take(node);
    memory.take(job.submitted.taskMemoryBytes(slots), node);
  }

  /** The attempt is over: its slot and its memory are free. */
  void give(TaskAttempt attempt) {
    SlotKind slots = attempt.slots();
    slots(slots).give(attempt.node);
    memory.give(attempt.job().submitted.taskMemoryBytes(slots), attempt.node);
  }

  /**
   * Whether tasks of the job wait for such slots, and one would fit into the node's memory if fewer
   * tasks ran there.
   */
  boolean lacksMemory(SlotKind slots, int job, int node) {
    return waiting(slots, job) > 0
        && memory.isShortOf(jobs[job].submitted.taskMemoryBytes(slots), node);
  }

  /** A job is here; its tasks may wait from now on. */
  void arrived(JobRun job) {
    JobSpec spec = job.spec;
    job.queue =
        queues.computeIfAbsent(
            spec.application(),
            name -> {
              queueNames.add(name);
              taskTimes.add(new TaskTimes(name, nodeKinds.size()));
              return queueNames.size() - 1;
            });
    if (job.queue == runningInQueue.length) {
      runningInQueue = Arrays.copyOf(runningInQueue, 2 * job.queue);
    }
    TaskTimes times = taskTimes.get(job.queue);
    Application application = times.application();
    job.submitted =
        new Job(
            job.id,
            spec.name(),
            application,
            Ticks.toNanos(job.submitTick),
            times.stages(job, application));
    if (job.id >= jobs.length) {
      jobs = Arrays.copyOf(jobs, 2 * job.id);
    }
    jobs[job.id] = job;
  }

  /** The job is over, and none of its tasks runs. */
  void left(JobRun job) {
    jobs[job.id] = null;
  }

  /** Tasks of the job have begun to run, or have ended when {@code change} is negative. */
  void ran(JobRun job, int change) {
    job.runningTasks += change;
    runningInQueue[job.queue] += change;
  }

  /** A task of the job has ended well after so many ticks: jobs that come later are told. */
  void ended(TaskAttempt attempt, long ticks) {
    taskTimes
        .get(attempt.job().queue)
        .add(attempt.stage, kindOfNode[attempt.node], ticks / (double) Ticks.PER_SECOND);
  }

  /** The job, or null when it is over or was never here. */
  JobRun find(int job) {
    return job >= 0 && job < jobs.length ? jobs[job] : null;
  }

  @Override
  public ClusterView cluster() {
    return cluster.view();
  }

  @Override
  public long nowNanos() {
    return Ticks.toNanos(engine.now());
  }

  @Override
  public Job job(int job) {
    return jobs[job].submitted;
  }

  @Override
  public int queueCount() {
    return queueNames.size();
  }

  @Override
  public String queueName(int queue) {
    return queueNames.get(queue);
  }

  @Override
  public int queueOf(int job) {
    return jobs[job].queue;
  }

  @Override
  public int waiting(SlotKind slots, int job) {
    JobRun run = jobs[job];
    return slots == SlotKind.MAP
        ? run.pendingMaps.count() + run.anywhere.size()
        : run.waitingReduces();
  }

  @Override
  public boolean waits(SlotKind slots, int job, Nearness nearness, int node) {
    JobRun run = jobs[job];
    if (memory.isLimited(node) && !hasMemory(slots, job, node)) {
      return false;
    }
    if (slots == SlotKind.REDUCE) {
      return nearness == Nearness.UNPLACED && run.waitingReduces() > 0;
    }
    return switch (nearness) {
      case ON_NODE -> run.pendingMaps.isWaitingOn(node);
      case UNPLACED -> !run.anywhere.isEmpty();
      case IN_RACK -> nodeInRackOf(run, node) != ClusterView.NONE;
      case ANYWHERE -> run.pendingMaps.count() > 0;
    };
  }

  @Override
  public long freeMemoryBytes(int node) {
    return memory.free(node);
  }

  /** Takes one of the maps that wait and stand so to the node. */
  int takeMap(JobRun job, Nearness nearness, int node) {
    return switch (nearness) {
      case ON_NODE -> job.pendingMaps.takeOn(node);
      case UNPLACED -> job.anywhere.pop();
      case IN_RACK -> job.pendingMaps.takeOn(nodeInRackOf(job, node));
      case ANYWHERE -> {
        int map = job.pendingMaps.last();
        job.pendingMaps.take(map);
        yield map;
      }
    };
  }

  /** The first other node of the node's rack that holds data of a waiting map, or none. */
  int nodeInRackOf(JobRun job, int node) {
    for (int other : nodesOfRack[cluster.rackOf(node)]) {
      if (other != node && job.pendingMaps.isWaitingOn(other)) {
        return other;
      }
    }
    return ClusterView.NONE;
  }

  @Override
  public long waitedNanos(int job) {
    return Ticks.toNanos(engine.now() - jobs[job].waitingSinceTick);
  }

  @Override
  public int running(int job) {
    return jobs[job].runningTasks;
  }

  @Override
  public int runningInQueue(int queue) {
    return runningInQueue[queue];
  }

  @Override
  public double meanTaskSeconds(int job) {
    return meanTaskSeconds(job, 0);
  }

  @Override
  public double meanTaskSeconds(int job, int stage) {
    return jobs[job].stages.get(stage).meanTaskSeconds();
  }

  @Override
  public int slotCount() {
    return mapSlots.upCount() + reduceSlots.upCount();
  }

  @Override
  public int nodeKindCount() {
    return nodeKinds.size();
  }

  @Override
  public int kindOfNode(int node) {
    return kindOfNode[node];
  }

  @Override
  public String nodeKindName(int nodeKind) {
    return nodeKinds.get(nodeKind);
  }

  @Override
  public int freeSlots(SlotKind slots, int nodeKind, int region) {
    return slots(slots).freeInGroup(group(nodeKind, region));
  }
}
