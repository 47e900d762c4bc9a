package io.tierwise.policies.scheduling;

import io.tierwise.core.action.Assign;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Application;
import io.tierwise.core.work.Demand;
import io.tierwise.core.work.Job;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.Seconds;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Stage;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A cluster of two regions with two racks of three nodes each, at work: a host for the tests of
 * scheduling policies, which checks every answer before it follows it. Nodes 0 and 3 of each region
 * are of the kind "new", the others "old". What it shows is looked up without allocating.
 */
public final class WorkedCluster implements WorkView {
  public static final int NODES = 12;
  public static final int RACKS = 4;
  static final int NODES_PER_RACK = 3;

  private static final int SLOT_KINDS = SlotKind.values().length;
  private static final List<String> KINDS = List.of("new", "old");

  /** A task that runs. */
  private record Running(int job, SlotKind slots, int node) {}

  private static final class Tracked {
    final Job job;
    final int queue;

    /** Tasks that wait, each with the nodes of its data; none for one without a place. */
    final Map<SlotKind, List<List<Integer>>> waiting = new EnumMap<>(SlotKind.class);

    int running;
    long sinceNanos;
    double finishedSeconds = Double.NaN;

    Tracked(Job job, int queue, long sinceNanos) {
      this.job = job;
      this.queue = queue;
      this.sinceNanos = sinceNanos;
      for (SlotKind slots : SlotKind.values()) {
        waiting.put(slots, new ArrayList<>());
      }
    }
  }

  private final ClusterView cluster;
  private final SchedulingPolicy policy;
  private final RandomGenerator random;
  private final int slotsPerNode;
  private final Map<SlotKind, JobQueue> queues = new EnumMap<>(SlotKind.class);
  private final Map<SlotKind, int[]> free = new EnumMap<>(SlotKind.class);
  private final long[] freeMemory = new long[NODES];
  private final Map<SlotKind, Long> taskMemory = new EnumMap<>(SlotKind.class);

  /** By id; null for one that is gone. */
  private final List<Tracked> jobs = new ArrayList<>();

  private final List<String> queueNames = new ArrayList<>();
  private final List<Integer> runningInQueue = new ArrayList<>();
  private final Map<String, Application> applications = new LinkedHashMap<>();
  private final List<Running> running = new ArrayList<>();
  private long nowNanos;
  private int jobsLeft;
  private long lookUps;

  /** A cluster with nothing to do, and so many slots of each kind on every node. */
  public WorkedCluster(SchedulingPolicy policy, int slotsPerNode, RandomGenerator random) {
    this.policy = policy;
    this.random = random;
    this.slotsPerNode = slotsPerNode;
    TierTable tiers =
        TierTable.of(List.of(DeviceClass.unmeasured("ssd"), DeviceClass.unmeasured("disk")));
    ArrayClusterViewBuilder builder = new ArrayClusterViewBuilder(tiers);
    for (int node = 0; node < NODES; node++) {
      int rack = node / NODES_PER_RACK;
      builder.addNode("node-" + node, "rack-" + rack, "region-" + rack / 2);
      builder.addVolume(node, node % NODES_PER_RACK == 0 ? 0 : 1, 1L << 40);
    }
    this.cluster = builder.build();
    limitMemory(Long.MAX_VALUE);
    askForMemory(0, 0);
    for (SlotKind slots : SlotKind.values()) {
      int[] counts = new int[NODES];
      java.util.Arrays.fill(counts, slotsPerNode);
      free.put(slots, counts);
      queues.put(slots, policy.newQueue(slots, this));
    }
  }

  /** Time passes. */
  public void pass(long nanos) {
    nowNanos += nanos;
  }

  /** Jobs that arrive in the queue of its name run this application. */
  public void know(Application application) {
    applications.put(application.name(), application);
  }

  /** Each node has so much memory for tasks, of which none holds any yet. */
  public void limitMemory(long bytes) {
    java.util.Arrays.fill(freeMemory, bytes);
  }

  /** Tasks of jobs that arrive from now on hold so much memory each. */
  public void askForMemory(long mapBytes, long reduceBytes) {
    taskMemory.put(SlotKind.MAP, mapBytes);
    taskMemory.put(SlotKind.REDUCE, reduceBytes);
  }

  /**
   * A job arrives.
   *
   * @param maps for each map the nodes of its data; none for a map without a place
   * @param bytes that the job reads
   * @return its id
   */
  public int arrive(String queue, List<List<Integer>> maps, int reduceCount, long bytes) {
    int index = queueNames.indexOf(queue);
    if (index < 0) {
      index = queueNames.size();
      queueNames.add(queue);
      runningInQueue.add(0);
    }
    int id = jobs.size();
    Application application = applications.getOrDefault(queue, Application.named(queue));
    Job job =
        new Job(
            id,
            "job-" + id,
            application,
            nowNanos,
            List.of(
                stage(application, SlotKind.MAP, maps.size(), bytes),
                stage(application, SlotKind.REDUCE, reduceCount, 0)));
    Tracked tracked = new Tracked(job, index, nowNanos);
    jobs.add(tracked);
    jobsLeft++;
    tracked.waiting.get(SlotKind.MAP).addAll(maps);
    for (int reduce = 0; reduce < reduceCount; reduce++) {
      tracked.waiting.get(SlotKind.REDUCE).add(List.of());
    }
    tracked.waiting.forEach(
        (slots, tasks) -> {
          if (!tasks.isEmpty()) {
            queues.get(slots).add(id);
          }
        });
    return id;
  }

  private Stage stage(Application application, SlotKind slots, int tasks, long bytes) {
    double taskBytes = tasks == 0 ? 0 : (double) bytes / tasks;
    List<Seconds> seconds = new ArrayList<>();
    for (int kind = 0; kind < KINDS.size(); kind++) {
      seconds.add(application.taskSeconds(slots.text(), kind, taskBytes));
    }
    List<Integer> after = slots == SlotKind.MAP ? List.of() : List.of(0);
    Demand demand = new Demand(tasks, taskMemory.get(slots), bytes, 0, 0, seconds);
    return new Stage(slots.text(), slots, tasks, after, demand);
  }

  /** Offers a slot that is free, and does what the policy answers. */
  public Assign offer(SlotOffer offer) {
    require(free.get(offer.slots())[offer.node()] > 0, "no slot is free on " + offer.node());
    Assign answer = ask(offer);
    if (answer instanceof Assign.Given given) {
      take(offer, given);
    }
    return answer;
  }

  /** Asks without doing it. */
  public Assign ask(SlotOffer offer) {
    return policy.assign(offer, queues.get(offer.slots()), this, random);
  }

  /** Asks with a queue that is made anew. */
  public Assign askAnew(SlotOffer offer) {
    JobQueue anew = policy.newQueue(offer.slots(), this);
    for (Tracked tracked : jobs) {
      if (tracked != null && !tracked.waiting.get(offer.slots()).isEmpty()) {
        anew.add(tracked.job.id());
      }
    }
    return policy.assign(offer, anew, this, random);
  }

  private void take(SlotOffer offer, Assign.Given given) {
    Tracked tracked = jobs.get(given.job());
    require(tracked != null, "a job got the slot that is not here");
    require(offer.job() == NONE || offer.job() == given.job(), "the offer was for another job");
    require(given.nearness().compareTo(offer.farthest()) <= 0, "the task is too far");
    List<List<Integer>> tasks = tracked.waiting.get(offer.slots());
    int task = find(tasks, given.nearness(), offer.node());
    require(task >= 0, "no task of job " + given.job() + " stands so: " + given.nearness());
    long memory = tracked.job.taskMemoryBytes(offer.slots());
    require(memory <= freeMemory[offer.node()], "the node has not the memory for " + given);
    freeMemory[offer.node()] -= memory;
    tasks.remove(task);
    if (tasks.isEmpty()) {
      queues.get(offer.slots()).remove(given.job());
    }
    free.get(offer.slots())[offer.node()]--;
    if (given.nearness() == Nearness.ON_NODE) {
      tracked.sinceNanos = nowNanos;
    }
    running.add(new Running(given.job(), offer.slots(), offer.node()));
    count(tracked, 1);
  }

  private void count(Tracked tracked, int change) {
    tracked.running += change;
    runningInQueue.set(tracked.queue, runningInQueue.get(tracked.queue) + change);
    queues.values().forEach(queue -> queue.changed(tracked.job.id()));
  }

  /** A task ends, drawn at random; returns where its slot is, as an offer to all. */
  public SlotOffer endOne() {
    Running ended = running.remove(random.nextInt(running.size()));
    Tracked tracked = jobs.get(ended.job());
    tracked.finishedSeconds = 10;
    count(tracked, -1);
    free.get(ended.slots())[ended.node()]++;
    freeMemory[ended.node()] += tracked.job.taskMemoryBytes(ended.slots());
    if (tracked.running == 0 && tracked.waiting.values().stream().allMatch(List::isEmpty)) {
      jobs.set(ended.job(), null);
      jobsLeft--;
    }
    return SlotOffer.toAll(ended.slots(), ended.node());
  }

  /** Offers every free slot to all jobs until it is refused; returns how many were taken. */
  public int offerAll() {
    int taken = 0;
    for (SlotKind slots : SlotKind.values()) {
      for (int node = 0; node < NODES; node++) {
        while (free.get(slots)[node] > 0
            && offer(SlotOffer.toAll(slots, node)) instanceof Assign.Given) {
          taken++;
        }
      }
    }
    return taken;
  }

  public int runningCount() {
    return running.size();
  }

  public int jobsLeft() {
    return jobsLeft;
  }

  /** How often the policy has looked at this view. */
  public long lookUps() {
    return lookUps;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private int find(List<List<Integer>> tasks, Nearness nearness, int node) {
    for (int task = 0; task < tasks.size(); task++) {
      if (TaskPlaces.stand(tasks.get(task), nearness, node)) {
        return task;
      }
    }
    return -1;
  }

  private Tracked look(int job) {
    lookUps++;
    if (jobs.get(job) == null) {
      throw new AssertionError("the policy asks for job " + job + ", which is not here");
    }
    return jobs.get(job);
  }

  @Override
  public ClusterView cluster() {
    return cluster;
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public Job job(int job) {
    return look(job).job;
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
    return look(job).queue;
  }

  @Override
  public int waiting(SlotKind slots, int job) {
    return look(job).waiting.get(slots).size();
  }

  @Override
  public boolean waits(SlotKind slots, int job, Nearness nearness, int node) {
    return find(look(job).waiting.get(slots), nearness, node) >= 0 && hasMemory(slots, job, node);
  }

  @Override
  public long freeMemoryBytes(int node) {
    return freeMemory[node];
  }

  @Override
  public long waitedNanos(int job) {
    return nowNanos - look(job).sinceNanos;
  }

  @Override
  public int running(int job) {
    return look(job).running;
  }

  @Override
  public int runningInQueue(int queue) {
    lookUps++;
    return runningInQueue.get(queue);
  }

  @Override
  public double meanTaskSeconds(int job) {
    return look(job).finishedSeconds;
  }

  @Override
  public int slotCount() {
    return NODES * slotsPerNode * SLOT_KINDS;
  }

  @Override
  public int nodeKindCount() {
    return KINDS.size();
  }

  @Override
  public int kindOfNode(int node) {
    return node % NODES_PER_RACK == 0 ? 0 : 1;
  }

  @Override
  public String nodeKindName(int nodeKind) {
    return KINDS.get(nodeKind);
  }

  @Override
  public int freeSlots(SlotKind slots, int nodeKind, int region) {
    int count = 0;
    for (int node = 0; node < NODES; node++) {
      boolean isThere = node / (2 * NODES_PER_RACK) == region && kindOfNode(node) == nodeKind;
      count += isThere ? free.get(slots)[node] : 0;
    }
    return count;
  }
}
