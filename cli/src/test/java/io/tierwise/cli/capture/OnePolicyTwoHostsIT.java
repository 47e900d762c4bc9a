package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.client.ClientOrder;
import io.tierwise.hadoop.hdfs.namenode.NameNodeDecisions;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.demo.DemoKeys;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedNode;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A running HDFS with the plug-ins, and the simulator on a scenario that was captured from it: the
 * same question with the same seed gets the same answer, replica by replica.
 */
class OnePolicyTwoHostsIT {
  private static final EmbeddedPlan PLAN =
      new EmbeddedPlan(3, 3, 1, 1, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);

  private static final int BLOCK_BYTES = 64 << 10;
  private static final int OUTSIDE = ClusterView.NONE;
  private static final String FILE_PLACEMENT = "hybrid";
  private static final long REPORTED_NANOS_MAX = 30_000_000_000L;
  private static final long SEED = 7;
  private static final List<Integer> READERS = List.of(0, 4, 7);

  private static final List<String> PLACEMENTS =
      List.of(
          "network-aware",
          "network-aware:tiers=pcie-ssd+sata-ssd",
          "tier-aware",
          "tier-aware:rack-safe=false",
          "hybrid",
          "zone-ratio:0.3",
          "zone-ratio:pcie-ssd=0.5,sata-ssd+disk=0.5",
          "region-aware",
          "random",
          "layout:1 x pcie-ssd + 2 x disk on different racks");

  /** What is written: as many blocks, with as many replicas, by a client on that node. */
  private record Write(int blocks, int replication, int writerNode) {}

  private static final List<Write> WRITES =
      List.of(new Write(1, 3, 0), new Write(3, 2, 4), new Write(2, 3, OUTSIDE), new Write(2, 1, 8));

  @TempDir private static Path folder;
  private static EmbeddedCluster hdfs;
  private static TierConfiguration tiers;
  private static NameNodeDecisions decisions;
  private static List<DatanodeInfo> nodes;

  /** Captured as the NameNode's plug-in sees the cluster: each rack is a region. */
  private static SimulatedHost simulated;

  /** Captured as a client sees the cluster: it counts hops and knows of no regions. */
  private static SimulatedHost hops;

  private static final Map<Integer, DistributedFileSystem> CLIENTS = new HashMap<>();

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = DemoKeys.daemons(PLAN.nodes());
    // The simulator has no busy nodes that refuse blocks: this is about equal views.
    conf.set("dfs.namenode.redundancy.considerLoad", "false");
    hdfs = EmbeddedCluster.start(PLAN, conf, folder.resolve("hdfs"));
    tiers = TierConfiguration.load(hdfs.configuration());
    decisions = new NameNodeDecisions(hdfs.daemons().getNameNode());
    nodes =
        Stream.of(client(OUTSIDE).getDataNodeStats())
            .sorted(
                Comparator.comparing(DatanodeInfo::getNetworkLocation)
                    .thenComparing(node -> node.getXferAddr()))
            .toList();
    simulated = captured(true);
    hops = captured(false);
  }

  @AfterAll
  static void stop() throws IOException {
    for (DistributedFileSystem client : CLIENTS.values()) {
      client.close();
    }
    hdfs.close();
  }

  private static DistributedFileSystem client(int node) throws IOException {
    if (CLIENTS.containsKey(node)) {
      return CLIENTS.get(node);
    }
    Configuration conf =
        node == OUTSIDE ? hdfs.configuration() : hdfs.configurationOn(embedded(node));
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    DistributedFileSystem client =
        (DistributedFileSystem) org.apache.hadoop.fs.FileSystem.newInstance(hdfs.uri(), conf);
    CLIENTS.put(node, client);
    return client;
  }

  /** The node of that number: sorted by rack and address, in the cluster as in its scenario. */
  private static EmbeddedNode embedded(int node) {
    String address = nodes.get(node).getIpAddr();
    return hdfs.nodes().stream()
        .filter(each -> each.address().getHostAddress().equals(address))
        .findFirst()
        .orElseThrow();
  }

  private static SimulatedHost captured(boolean regions) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "capture",
                "--fs=" + hdfs.uri(),
                "-D",
                "tierwise.tiers.file=" + folder.resolve("hdfs/tiers.yaml")));
    if (regions) {
      String key = "tierwise.namenode.regions";
      arguments.addAll(List.of("-D", key + "=" + hdfs.configuration().get(key)));
    }
    CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new SimulatedHost(ScenarioFiles.parse(run.out(), "captured").scenario(), BLOCK_BYTES);
  }

  private static List<Replica> replicas(SimulatedHost host, SimulatedHost.Placed placed, int i) {
    VirtualCluster cluster = host.cluster();
    int block = placed.file().block(i);
    return IntStream.range(0, placed.namespace().replicaCount(block))
        .map(slot -> cluster.volume(placed.namespace().replica(block, slot)).viewVolume())
        .mapToObj(volume -> Replica.of(volume, cluster.view()))
        .toList();
  }

  private static SimulatedHost.Placed place(
      SimulatedHost host, String policy, long fileId, Write write, long seed) {
    return host.place(
        policy,
        fileId,
        write.blocks(),
        write.replication(),
        write.writerNode(),
        new SplittableRandom(seed));
  }

  private static String path(String policy, Write write) {
    return "/" + Integer.toHexString(policy.hashCode()) + "/" + WRITES.indexOf(write);
  }

  /** Writes a file under the policy; its inode id. */
  private static long write(String policy, Write write, RandomGenerator random) throws IOException {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path(policy, write));
    DistributedFileSystem client = client(write.writerNode());
    client.mkdirs(file.getParent());
    client.setXAttr(
        file.getParent(), "user.tierwise.placement", policy.getBytes(StandardCharsets.UTF_8));
    decisions.begin(random);
    try (FSDataOutputStream out =
        client.create(file, true, 4096, (short) write.replication(), BLOCK_BYTES)) {
      out.write(new byte[write.blocks() * BLOCK_BYTES]);
    }
    return client.getClient().getFileInfo(file.toString()).getFileId();
  }

  /**
   * The blocks of a file as the reader is told, once all replicas are known: a closed file is
   * complete with one of them.
   */
  private static LocatedBlocks located(String path, int replication, int reader)
      throws IOException {
    long end = System.nanoTime() + REPORTED_NANOS_MAX;
    while (true) {
      LocatedBlocks blocks = client(reader).getClient().getLocatedBlocks(path, 0);
      boolean all =
          blocks.getLocatedBlocks().stream()
              .allMatch(block -> block.getLocations().length == replication);
      if (all) {
        return blocks;
      }
      assertThat(System.nanoTime()).as("replicas of %s reported in time", path).isLessThan(end);
      LockSupport.parkNanos(10_000_000L);
    }
  }

  private static String text(PlacementRequest request) {
    return request.file()
        + " bytes "
        + request.blockBytes()
        + " replicas "
        + request.replicaCount()
        + " writer "
        + request.writerNode()
        + " in rack "
        + request.writerRack()
        + " existing "
        + Arrays.toString(request.existingVolumes())
        + " "
        + request.avoid();
  }

  static List<String> placements() {
    return PLACEMENTS;
  }

  @ParameterizedTest
  @MethodSource("placements")
  void theNameNodeAndTheSimulatorPlaceEachBlockOnTheSameVolumes(String policy) throws IOException {
    for (Write write : WRITES) {
      long seed = 31L * policy.hashCode() + WRITES.indexOf(write);
      long fileId = write(policy, write, new SplittableRandom(seed));
      List<NameNodeDecisions.Decision> live = decisions.heard();
      SimulatedHost.Placed placed = place(simulated, policy, fileId, write, seed);
      assertThat(live).as("%s: a decision a block", write).hasSize(write.blocks());
      for (int i = 0; i < write.blocks(); i++) {
        NameNodeDecisions.Decision decision = live.get(i);
        assertThat(text(placed.requests().get(i)))
            .as("%s: what is asked for block %d", write, i)
            .isEqualTo(text(decision.request()));
        assertThat(replicas(simulated, placed, i))
            .as("%s: block %d, %s", write, i, decision.decision().describe(decision.view()))
            .hasSize(write.replication())
            .isEqualTo(Replica.chosen(decision.decision(), decision.view()));
      }
      LocatedBlocks stored = located(path(policy, write), write.replication(), OUTSIDE);
      for (int i = 0; i < write.blocks(); i++) {
        assertThat(numbers(stored.get(i)))
            .as("%s: HDFS stored block %d where the plug-in said", write, i)
            .containsExactlyInAnyOrderElementsOf(simulated.nodes(placed, i));
      }
    }
  }

  /** What the test above sees when the hosts do not agree. */
  @Test
  void anotherSeedGivesAnotherPlacement() throws IOException {
    Write write = new Write(3, 3, OUTSIDE);
    long fileId = write("random", write, new SplittableRandom(1));
    List<List<Replica>> live =
        decisions.heard().stream()
            .map(each -> Replica.chosen(each.decision(), each.view()))
            .toList();
    SimulatedHost.Placed other = place(simulated, "random", fileId, write, 2);
    assertThat(IntStream.range(0, 3).mapToObj(i -> replicas(simulated, other, i)).toList())
        .isNotEqualTo(live);
  }

  @Test
  void everyPlacementPolicyIsCompared() {
    assertThat(PLACEMENTS.stream().map(spec -> spec.replaceFirst(":.*", "")))
        .containsAll(PlacementPolicies.all().stream().map(policy -> policy.name()).toList());
  }

  static List<String> accesses() {
    // An HDFS client leaves auto to the NameNode, which counts its answers; the simulator counts.
    return Stream.concat(
            AccessStrategies.names().stream().filter(name -> !name.equals("auto")),
            Stream.of(
                "balanced:30",
                "nbd:threshold=2",
                "sbd:threshold=1",
                "hybrid:link-megabytes-per-second=100"))
        .toList();
  }

  /** A file of HDFS and its twin, whose replicas are on the same nodes. */
  private record Twins(Write write, SimulatedHost.Placed placed) {}

  private static List<Twins> readFiles;

  /** Written once for all strategies. */
  private static List<Twins> readFiles() throws IOException {
    if (readFiles == null) {
      List<Twins> files = new ArrayList<>();
      for (Write write : WRITES) {
        long fileId = write(FILE_PLACEMENT, write, new SplittableRandom(SEED));
        files.add(new Twins(write, place(hops, FILE_PLACEMENT, fileId, write, SEED)));
      }
      readFiles = files;
    }
    return readFiles;
  }

  @ParameterizedTest
  @MethodSource("accesses")
  void clientAndSimulatorReadReplicasInTheSameOrder(String spec) throws IOException {
    AccessSession liveSession = AccessSession.of(AccessStrategies.parse(spec));
    AccessSession simulatedSession = AccessSession.of(AccessStrategies.parse(spec));
    for (Twins file : readFiles()) {
      for (int reader : READERS) {
        for (int index = 0; index < file.write().blocks(); index++) {
          long fileId = file.placed().file().fileIdOf(index);
          AccessPick livePick = liveSession.pick(fileId);
          AccessPick pick = simulatedSession.pick(fileId);
          assertThat(pick.arm()).isEqualTo(livePick.arm());
          String path = path(FILE_PLACEMENT, file.write());
          compare(
              new Read(path, index, reader, 10L * reader + index), file.placed(), livePick, pick);
          liveSession.observe(fileId, livePick, BLOCK_BYTES, 1 + index, 0);
          simulatedSession.observe(fileId, pick, BLOCK_BYTES, 1 + index, 0);
        }
      }
    }
  }

  private record Read(String path, int index, int reader, long task) {}

  private static void compare(
      Read read, SimulatedHost.Placed placed, AccessPick livePick, AccessPick pick)
      throws IOException {
    Configuration conf = hdfs.configurationOn(embedded(read.reader()));
    conf.set("tierwise.access.random.seed", String.valueOf(SEED));
    conf.set("tierwise.access.task-index", String.valueOf(read.task()));
    LocatedBlocks blocks = located(read.path(), placed.namespace().replication(), read.reader());
    LocatedBlock block = blocks.get(read.index());
    List<Integer> before = numbers(block);
    ClientOrder order = new ClientOrder(conf, tiers);
    HeardStrategy live = new HeardStrategy(livePick.strategy());
    // Blocks after this one would be heard last.
    LocatedBlocks upToIt =
        new LocatedBlocks(
            blocks.getFileLength(),
            false,
            blocks.getLocatedBlocks().subList(0, read.index() + 1),
            block,
            true,
            null,
            null);
    order.order(
        placed.file().fileIdOf(read.index()),
        upToIt,
        new AccessPick(livePick.arm(), livePick.explored(), live));
    assertThat(order.failureCount()).isZero();

    HeardStrategy there = new HeardStrategy(pick.strategy());
    RandomGenerator random =
        new TieOrder(
            hops.nodes(placed, read.index()),
            before,
            node -> hops.cluster().distance(read.reader(), node),
            new SplittableRandom(SEED ^ block.getBlock().getBlockId()));
    hops.read(
        placed,
        read.index(),
        read.reader(),
        read.task(),
        new AccessPick(pick.arm(), pick.explored(), there),
        random);
    assertThat(there.answer()).as("%s of %s", read, before).isEqualTo(live.answer());
    assertThat(numbers(block))
        .as("what the client reads from, in order")
        .isEqualTo(live.answer().order().stream().map(before::get).toList());
  }

  private static List<Integer> numbers(LocatedBlock block) {
    return Arrays.stream(block.getLocations()).map(nodes::indexOf).toList();
  }
}
