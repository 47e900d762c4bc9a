package io.tierwise.policies.recorded;

import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Job;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Work that waited and ran at one instant, as a scheduling policy saw it.
 *
 * @param jobs those that waited or ran
 * @param freeSlots by kind of slot, by kind of node, by region
 * @param freeMemoryBytes by node
 */
@SuppressWarnings("EnumOrdinal") // Lists and arrays are in the order of the enums, for JSON.
public record RecordedWork(
    RecordedCluster cluster,
    long nowNanos,
    List<RecordedJob> jobs,
    List<RecordedQueue> queues,
    List<String> nodeKindNames,
    int[] kindsOfNodes,
    int slotCount,
    int[][][] freeSlots,
    long[] freeMemoryBytes)
    implements WorkView {

  /** A job; {@code tasks} are those that wait, by kind of slot. */
  public record RecordedJob(
      Job job,
      int queue,
      List<RecordedTasks> tasks,
      long waitedNanos,
      int running,
      double meanTaskSeconds) {}

  /** Tasks that wait; {@code nodes} to which one of them stands so, by nearness. */
  public record RecordedTasks(int waiting, int[][] nodes) {}

  /** A queue. */
  public record RecordedQueue(String name, int running) {}

  /** Records the view of these jobs as it is now. */
  public static RecordedWork of(WorkView work, int... jobs) {
    int[][][] free = new int[SlotKind.values().length][work.nodeKindCount()][];
    for (SlotKind slots : SlotKind.values()) {
      for (int kind = 0; kind < work.nodeKindCount(); kind++) {
        int nodeKind = kind;
        free[slots.ordinal()][kind] =
            IntStream.range(0, work.cluster().regionCount())
                .map(region -> work.freeSlots(slots, nodeKind, region))
                .toArray();
      }
    }
    return new RecordedWork(
        RecordedCluster.of(work.cluster(), 0),
        work.nowNanos(),
        Arrays.stream(jobs).mapToObj(job -> job(work, job)).toList(),
        IntStream.range(0, work.queueCount())
            .mapToObj(queue -> new RecordedQueue(work.queueName(queue), work.runningInQueue(queue)))
            .toList(),
        IntStream.range(0, work.nodeKindCount()).mapToObj(work::nodeKindName).toList(),
        IntStream.range(0, work.cluster().nodeCount()).map(work::kindOfNode).toArray(),
        work.slotCount(),
        free,
        IntStream.range(0, work.cluster().nodeCount()).mapToLong(work::freeMemoryBytes).toArray());
  }

  private static RecordedJob job(WorkView work, int job) {
    return new RecordedJob(
        work.job(job),
        work.queueOf(job),
        Stream.of(SlotKind.values()).map(slots -> tasks(work, slots, job)).toList(),
        work.waitedNanos(job),
        work.running(job),
        work.meanTaskSeconds(job));
  }

  private static RecordedTasks tasks(WorkView work, SlotKind slots, int job) {
    int[][] nodes =
        Stream.of(Nearness.values())
            .map(
                nearness ->
                    IntStream.range(0, work.cluster().nodeCount())
                        .filter(node -> work.waits(slots, job, nearness, node))
                        .toArray())
            .toArray(int[][]::new);
    return new RecordedTasks(work.waiting(slots, job), nodes);
  }

  private RecordedJob find(int job) {
    return jobs.stream().filter(each -> each.job().id() == job).findFirst().orElseThrow();
  }

  private RecordedTasks tasksOf(SlotKind slots, int job) {
    return find(job).tasks().get(slots.ordinal());
  }

  @Override
  public Job job(int job) {
    return find(job).job();
  }

  @Override
  public int queueCount() {
    return queues.size();
  }

  @Override
  public String queueName(int queue) {
    return queues.get(queue).name();
  }

  @Override
  public int queueOf(int job) {
    return find(job).queue();
  }

  @Override
  public int waiting(SlotKind slots, int job) {
    return tasksOf(slots, job).waiting();
  }

  @Override
  public boolean waits(SlotKind slots, int job, Nearness nearness, int node) {
    return Arrays.stream(tasksOf(slots, job).nodes()[nearness.ordinal()])
        .anyMatch(each -> each == node);
  }

  @Override
  public long freeMemoryBytes(int node) {
    return freeMemoryBytes[node];
  }

  @Override
  public long waitedNanos(int job) {
    return find(job).waitedNanos();
  }

  @Override
  public int running(int job) {
    return find(job).running();
  }

  @Override
  public int runningInQueue(int queue) {
    return queues.get(queue).running();
  }

  @Override
  public double meanTaskSeconds(int job) {
    return find(job).meanTaskSeconds();
  }

  @Override
  public int nodeKindCount() {
    return nodeKindNames.size();
  }

  @Override
  public int kindOfNode(int node) {
    return kindsOfNodes[node];
  }

  @Override
  public String nodeKindName(int nodeKind) {
    return nodeKindNames.get(nodeKind);
  }

  @Override
  public int freeSlots(SlotKind slots, int nodeKind, int region) {
    return freeSlots[slots.ordinal()][nodeKind][region];
  }
}
