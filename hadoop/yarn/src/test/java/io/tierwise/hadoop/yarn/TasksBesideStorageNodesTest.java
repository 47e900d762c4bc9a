package io.tierwise.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.RackResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Shows what docs/how-to/localized-storage.md says of tasks: in which sub-rack a real
 * ResourceManager starts one whose data is on a storage node, where no NodeManager runs.
 */
class TasksBesideStorageNodesTest {
  private static final String WITH_DATA = "/r1/lsn2";
  private static final String BY_ITSELF = "yarn.scheduler.capacity.schedule-asynchronously.enable";

  /**
   * Nodes with the data first to come back: YARN leaves out nodes that were silent for two
   * heartbeats. On a machine that stood still the others alone would be asked, and the wait would
   * pass. They are the last to speak before the task is asked for, for the same reason.
   */
  private static final List<Integer> LIVE_ORDER = List.of(2, 3, 0, 1, 4, 5, 6, 7);

  private static final int MEGABYTES = 1024;
  private static final int NODES = 8;

  private final Configuration conf = new YarnConfiguration();
  private final List<MockNM> nodes = new ArrayList<>();
  private MockRM manager;
  private MockAM master;

  @BeforeEach
  void placeNodes() throws Exception {
    forgetRacks();
    for (int node = 0; node < NODES; node++) {
      StaticMapping.addNodeToRack(host(node), locationOf(node));
    }
    conf.setClass(
        CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
        StaticMapping.class,
        DNSToSwitchMapping.class);
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    goThroughNodes(false);
  }

  /** Whether YARN goes through the nodes by itself, its default, or when each asks. */
  private void goThroughNodes(boolean byItself) {
    conf.setBoolean(BY_ITSELF, byItself);
  }

  @AfterEach
  void stop() throws Exception {
    manager.stop();
    StaticMapping.resetMap();
    forgetRacks();
  }

  /** YARN keeps the racks that it has asked for, for the whole process. */
  private static void forgetRacks() throws ReflectiveOperationException {
    Method reset = RackResolver.class.getDeclaredMethod("reset");
    reset.setAccessible(true);
    reset.invoke(null);
  }

  private static String host(int node) {
    return "127.0.1." + (node + 1);
  }

  /** Two nodes a sub-rack, two sub-racks a rack. */
  private static String locationOf(int node) {
    return "/r" + (node / 4 + 1) + "/lsn" + (node / 2 % 2 + 1);
  }

  private void start() throws Exception {
    manager = new MockRM(conf);
    manager.start();
    RMApp app = submit();
    for (int node = 0; node < NODES; node++) {
      nodes.add(manager.registerNode(host(node) + ":1234", 4 * MEGABYTES));
    }
    master = launchMaster(app);
    master.registerAppAttempt();
    for (int last = LIVE_ORDER.size() - 1; last >= 0; last--) {
      nodes.get(LIVE_ORDER.get(last)).nodeHeartbeat(true);
    }
    manager.drainEvents();
    List<ResourceRequest> asks = new ArrayList<>();
    for (String place : List.of("lsn-1-2.example.com", WITH_DATA, ResourceRequest.ANY)) {
      Resource task = Resource.newInstance(MEGABYTES, 1);
      asks.add(ResourceRequest.newInstance(Priority.newInstance(20), place, task, 1));
    }
    master.allocate(asks, List.of());
    manager.drainEvents();
  }

  /**
   * Submits the application while there is no node. Hadoop waits for it to be "scheduled": a
   * ResourceManager that goes through nodes by itself could give it a node before Hadoop looks, and
   * the wait would be in vain.
   */
  private RMApp submit() throws Exception {
    return MockRMAppSubmitter.submit(
        manager, MockRMAppSubmissionData.Builder.createWithMemory(MEGABYTES, manager).build());
  }

  /** Starts the master on the first node, or where YARN has placed it by itself. */
  private MockAM launchMaster(RMApp app) throws Exception {
    return conf.getBoolean(BY_ITSELF, false)
        ? MockRM.launchAMWhenAsyncSchedulingEnabled(app, manager)
        : MockRM.launchAM(app, manager, nodes.get(0));
  }

  /** Where the task starts when nodes ask for work in this order; null when none gets it. */
  private String askedBy(List<Integer> order) throws Exception {
    for (int node : order) {
      nodes.get(node).nodeHeartbeat(true);
      manager.drainEvents();
      List<Container> got = master.allocate(List.of(), List.of()).getAllocatedContainers();
      if (!got.isEmpty()) {
        assertThat(got.get(0).getNodeId()).isEqualTo(nodes.get(node).getNodeId());
        return locationOf(node);
      }
    }
    return null;
  }

  private void configureAsTheExample() {
    Configuration example = new Configuration(false);
    Path file =
        Path.of(
            System.getProperty("tierwise.root"),
            "docs/examples/localized-storage/capacity-scheduler.xml");
    example.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
    assertThat(example).hasSize(2);
    example.forEach(key -> conf.set(key.getKey(), key.getValue()));
  }

  @Test
  void byDefaultTheFirstNodeThatAsksGetsTheTask() throws Exception {
    start();
    assertThat(askedBy(List.of(7, 6, 2))).isEqualTo("/r2/lsn2");
  }

  @Test
  void withTheExamplesKeysATaskWaitsForItsOwnSubRackAndStartsThereAtOnce() throws Exception {
    configureAsTheExample();
    start();
    assertThat(askedBy(List.of(7, 6, 5, 4, 1, 0, 2))).isEqualTo(WITH_DATA);
  }

  @Test
  void soItDoesWhereYarnGoesThroughNodesByItself() throws Exception {
    goThroughNodes(true);
    configureAsTheExample();
    start();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    List<Container> got = List.of();
    while (got.isEmpty()) {
      assertThat(System.nanoTime()).as("a node for the task").isLessThan(end);
      for (int node : LIVE_ORDER) {
        nodes.get(node).nodeHeartbeat(true);
      }
      got = master.allocate(List.of(), List.of()).getAllocatedContainers();
    }
    assertThat(got.get(0).getNodeId().getHost()).isIn(host(2), host(3));
  }

  @Test
  void aTaskWhoseSubRackOffersNothingStartsElsewhere() throws Exception {
    configureAsTheExample();
    start();
    assertThat(askedBy(List.of(7, 6, 5, 4, 1, 0, 7, 6, 5, 4, 1, 0))).isNotNull();
  }
}
