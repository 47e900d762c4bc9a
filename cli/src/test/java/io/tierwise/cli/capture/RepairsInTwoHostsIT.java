package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.Refusal;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.simulator.movement.MovementHost;
import io.tierwise.simulator.scenario.MonitorSpec;
import io.tierwise.simulator.scenario.UpkeepSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The monitor in a NameNode that lost a node, and the simulator's on the same cluster: both queue
 * the same repairs in the same order.
 */
@Tag("long")
class RepairsInTwoHostsIT {
  private static final long AWAITED_NANOS_MAX = 120_000_000_000L;
  private static final MovementLimits LIMITS = MovementLimits.DEFAULT;

  /** The policy that files are written under, and that which holds when they are looked at. */
  private static final Map<String, List<String>> POLICIES = policies();

  @TempDir private static Path folder;
  private static TwoHosts hosts;

  /** A block to repair, told alike of both hosts. */
  private record Queued(String file, int block, String urgency) {}

  private static Map<String, List<String>> policies() {
    Map<String, List<String>> policies = new LinkedHashMap<>();
    policies.put(
        "/a-too-many", List.of("layout:2 x pcie-ssd + 1 x disk", "layout:1 x pcie-ssd + 2 x disk"));
    policies.put("/b-one-missing", List.of(TwoHosts.ON_DISKS, "layout:1 x sata-ssd + 2 x disk"));
    policies.put("/c-fine", List.of("layout:1 x pcie-ssd + 2 x disk", ""));
    policies.put(
        "/d-two-missing",
        List.of(TwoHosts.ON_DISKS, "layout:1 x pcie-ssd + 1 x sata-ssd + 1 x disk"));
    return policies;
  }

  @BeforeAll
  static void start() throws IOException {
    Configuration keys = new Configuration(false);
    // A node that is silent for some seconds is lost.
    keys.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 1_000);
    keys.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    keys.setInt("tierwise.monitor.interval.seconds", 1);
    hosts = TwoHosts.start(folder, keys);
  }

  @AfterAll
  static void stop() throws IOException {
    hosts.close();
  }

  /** Looks until two answers are the same, for a walk may be under way. */
  private static List<Queued> live() throws Exception {
    NameNodePlugin plugin = new NameNodePlugin(hosts.fs(), hosts.cluster().configuration());
    // A queued block keeps its age, so the walk has to begin with an empty queue.
    hosts.fs().setSafeMode(SafeModeAction.ENTER);
    await("nothing is queued", () -> queued(plugin).isEmpty());
    hosts.fs().setSafeMode(SafeModeAction.LEAVE);
    List<Queued> last = new ArrayList<>();
    await(
        "a walk",
        () -> {
          List<Queued> before = List.copyOf(last);
          last.clear();
          last.addAll(queued(plugin));
          return !last.isEmpty() && last.equals(before);
        });
    return last;
  }

  private static List<Queued> queued(NameNodePlugin plugin) throws IOException {
    RepairCalls.Question question =
        new RepairCalls.Question(
            1_000,
            0,
            RepairCalls.State.ABSENT,
            LIMITS.nodeBytesPerSecond(),
            LIMITS.allBytesPerSecond(),
            0);
    return RepairCalls.parse(plugin.answer(plugin.ofActive(), question.format())).stream()
        .map(work -> new Queued(work.path(), work.blockIndex(), work.urgency()))
        .toList();
  }

  private interface Check {
    boolean holds() throws Exception;
  }

  private static void await(String what, Check check) throws Exception {
    long end = System.nanoTime() + AWAITED_NANOS_MAX;
    while (!check.holds()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(2_000_000_000L);
    }
  }

  /** The node's replicas go, and HDFS makes others, wherever the policies of now let it. */
  private static void lose(int node) throws Exception {
    DatanodeInfo lost = hosts.nodes().get(node);
    hosts.cluster().daemons().stopDataNode(lost.getXferAddr());
    for (String directory : POLICIES.keySet()) {
      await(
          "other replicas than the lost node's",
          () ->
              hosts.stored(directory).stream()
                  .flatMap(file -> file.getLocatedBlocks().getLocatedBlocks().stream())
                  .flatMap(block -> Stream.of(block.getLocations()))
                  .noneMatch(lost::equals));
    }
  }

  private static List<Queued> simulated(int lost) throws IOException {
    TwoHosts.Virtual virtual = hosts.virtual();
    for (String directory : POLICIES.keySet()) {
      for (HdfsLocatedFileStatus file : hosts.stored(directory)) {
        hosts
            .store(virtual, directory, file)
            .setPolicy(PlacementPolicies.parse(now(directory), virtual.view().tiers()));
      }
    }
    virtual.view().refuseNode(lost, Refusal.DEAD);
    MonitorSpec monitor = new MonitorSpec(60, 20_000, 0, LIMITS, 3);
    MovementHost host =
        virtual.host(hosts.scenario().withUpkeep(new UpkeepSpec(Optional.of(monitor), List.of())));
    List<Queued> first = new ArrayList<>();
    host.tellRepairs(
        (file, block) ->
            first.add(new Queued(file.path(), block.blockIndex(), block.urgency().label())));
    host.start();
    while (first.isEmpty()) {
      assertThat(virtual.engine().step()).as("a walk").isTrue();
    }
    return first;
  }

  private static String now(String directory) {
    List<String> policies = POLICIES.get(directory);
    return policies.get(1).isEmpty() ? policies.get(0) : policies.get(1);
  }

  @Test
  void bothQueueTheSameRepairsInTheSameOrder() throws Exception {
    for (Map.Entry<String, List<String>> each : POLICIES.entrySet()) {
      hosts.writeInTurn(each.getKey(), each.getValue().get(0));
      hosts.stored(each.getKey());
    }
    int node = 0;
    lose(node);
    for (String directory : POLICIES.keySet()) {
      hosts.setPolicy(directory, now(directory));
    }

    List<Queued> live = live();

    assertThat(live.stream().map(Queued::urgency).distinct())
        .containsExactly("missing_copy", "wrong_tier");
    assertThat(live.get(0).file()).startsWith("/d-two-missing");
    assertThat(simulated(node)).isEqualTo(live);
  }
}
