package io.tierwise.hadoop.yarn;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterViewBuilder;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Application;
import io.tierwise.core.work.Demand;
import io.tierwise.core.work.Job;
import io.tierwise.core.work.Nearness;
import io.tierwise.core.work.SlotKind;
import io.tierwise.core.work.Stage;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;

/**
 * A ResourceManager's applications as a scheduling policy sees jobs, read and nothing else: a slot
 * is a gigabyte of a node, a task's memory that of the container which is asked for, and maps and
 * reducers are told by MapReduce's priorities. Cores do not count, as by YARN's
 * DefaultResourceCalculator.
 */
final class ResourceManagerWork implements WorkView {
  /** Priorities that MapReduce's application master asks with. */
  static final int MAP_PRIORITY = 20;

  static final int REDUCE_PRIORITY = 10;
  static final int SLOT_MEGABYTES = 1024;
  private static final long MEGABYTE = 1 << 20;

  private final List<RMApp> apps;
  private final AbstractYarnScheduler<?, ?> scheduler;
  private final List<? extends SchedulerNode> nodes;
  private final List<Resource> kinds;
  private final List<String> queues;
  private final ClusterView cluster;

  /**
   * @param apps in the order of their submission
   */
  ResourceManagerWork(MockRM manager, List<RMApp> apps) {
    this.apps = apps;
    this.scheduler = (AbstractYarnScheduler<?, ?>) manager.getResourceScheduler();
    this.nodes =
        scheduler.getNodeTracker().getAllNodes().stream()
            .sorted(
                Comparator.comparing(SchedulerNode::getRackName)
                    .thenComparing(SchedulerNode::getNodeName))
            .toList();
    this.kinds = nodes.stream().map(SchedulerNode::getTotalResource).distinct().toList();
    this.queues = apps.stream().map(app -> attempt(app).getQueueName()).distinct().toList();
    ArrayClusterViewBuilder builder =
        new ArrayClusterViewBuilder(TierTable.of(List.of(DeviceClass.unmeasured("disk"))));
    for (SchedulerNode node : nodes) {
      builder.addNode(node.getNodeName(), node.getRackName(), "region");
    }
    this.cluster = builder.build();
  }

  private SchedulerApplicationAttempt attempt(RMApp app) {
    return scheduler.getSchedulerApplications().get(app.getApplicationId()).getCurrentAppAttempt();
  }

  private SchedulerApplicationAttempt attempt(int job) {
    return attempt(apps.get(job));
  }

  private List<PendingAsk> asks(SlotKind slots, int job, String where) {
    int priority = slots == SlotKind.MAP ? MAP_PRIORITY : REDUCE_PRIORITY;
    AppSchedulingInfo info = attempt(job).getAppSchedulingInfo();
    return info.getSchedulerKeys().stream()
        .filter(key -> key.getPriority().getPriority() == priority)
        .map(key -> info.getPendingAsk(key, where))
        .toList();
  }

  private int asked(SlotKind slots, int job, String where) {
    return asks(slots, job, where).stream().mapToInt(PendingAsk::getCount).sum();
  }

  private boolean hasPlaces(SlotKind slots, int job) {
    return nodes.stream().anyMatch(node -> asked(slots, job, node.getNodeName()) > 0);
  }

  @Override
  public boolean waits(SlotKind slots, int job, Nearness nearness, int node) {
    if (!hasMemory(slots, job, node)) {
      return false;
    }
    boolean placed = hasPlaces(slots, job);
    int any = waiting(slots, job);
    return switch (nearness) {
      case ON_NODE -> asked(slots, job, nodes.get(node).getNodeName()) > 0;
      case UNPLACED -> !placed && any > 0;
      case IN_RACK ->
          placed
              && IntStream.range(0, nodes.size())
                  .filter(other -> other != node)
                  .filter(other -> cluster.rackOfNode(other) == cluster.rackOfNode(node))
                  .anyMatch(other -> asked(slots, job, nodes.get(other).getNodeName()) > 0);
      case ANYWHERE -> placed && any > 0;
    };
  }

  @Override
  public long freeMemoryBytes(int node) {
    return bytes(nodes.get(node).getUnallocatedResource());
  }

  private static long bytes(Resource resource) {
    return resource.getMemorySize() * MEGABYTE;
  }

  @Override
  public int waiting(SlotKind slots, int job) {
    return asked(slots, job, ResourceRequest.ANY);
  }

  @Override
  public int running(int job) {
    return (int)
        attempt(job).getLiveContainers().stream()
            .filter(container -> !container.isAMContainer())
            .count();
  }

  @Override
  public ClusterView cluster() {
    return cluster;
  }

  @Override
  public long nowNanos() {
    return 0;
  }

  @Override
  public Job job(int job) {
    RMApp app = apps.get(job);
    return new Job(
        job,
        app.getName(),
        Application.named(app.getApplicationType()),
        0,
        List.of(stage(SlotKind.MAP, job, List.of()), stage(SlotKind.REDUCE, job, List.of(0))));
  }

  /** Of a stage a ResourceManager knows the tasks that wait and their memory, and no bytes. */
  private Stage stage(SlotKind slots, int job, List<Integer> after) {
    int tasks = waiting(slots, job);
    long memory =
        asks(slots, job, ResourceRequest.ANY).stream()
            .mapToLong(ask -> bytes(ask.getPerAllocationResource()))
            .max()
            .orElse(0);
    return new Stage(slots.text(), slots, tasks, after, new Demand(tasks, memory, 0, 0, 0));
  }

  @Override
  public int queueCount() {
    return queues.size();
  }

  @Override
  public String queueName(int queue) {
    return queues.get(queue);
  }

  @Override
  public int queueOf(int job) {
    return queues.indexOf(attempt(job).getQueueName());
  }

  @Override
  public long waitedNanos(int job) {
    return 0;
  }

  @Override
  public int runningInQueue(int queue) {
    return IntStream.range(0, apps.size())
        .filter(job -> queueOf(job) == queue)
        .map(this::running)
        .sum();
  }

  @Override
  public double meanTaskSeconds(int job) {
    return Double.NaN;
  }

  private static int slots(long megabytes) {
    return (int) (megabytes / SLOT_MEGABYTES);
  }

  @Override
  public int slotCount() {
    return nodes.stream().mapToInt(node -> slots(node.getTotalResource().getMemorySize())).sum();
  }

  /** Nodes of the same resources are of one kind. */
  @Override
  public int nodeKindCount() {
    return kinds.size();
  }

  @Override
  public int kindOfNode(int node) {
    return kinds.indexOf(nodes.get(node).getTotalResource());
  }

  @Override
  public String nodeKindName(int nodeKind) {
    return "node of " + kinds.get(nodeKind);
  }

  @Override
  public int freeSlots(SlotKind slots, int nodeKind, int region) {
    return nodes.stream()
        .filter(node -> node.getTotalResource().equals(kinds.get(nodeKind)))
        .mapToInt(node -> slots(node.getUnallocatedResource().getMemorySize()))
        .sum();
  }
}
