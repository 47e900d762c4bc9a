package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.capture.LiveHdfs.Write;
import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.client.ClientOrder;
import io.tierwise.hadoop.hdfs.namenode.NameNodeDecisions;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessSession;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.simulator.cluster.VirtualCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
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
  private static final int OUTSIDE = ClusterView.NONE;
  private static final String FILE_PLACEMENT = "hybrid";
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

  private static final List<Write> WRITES =
      List.of(new Write(1, 3, 0), new Write(3, 2, 4), new Write(2, 3, OUTSIDE), new Write(2, 1, 8));

  @TempDir private static Path folder;
  private static LiveHdfs hdfs;

  /** Captured as the NameNode's plug-in sees the cluster: each rack is a region. */
  private static SimulatedHost simulated;

  /** Captured as a client sees the cluster: it counts hops and knows of no regions. */
  private static SimulatedHost hops;

  @BeforeAll
  static void start() throws Exception {
    hdfs = LiveHdfs.start(folder.resolve("hdfs"));
    simulated = hdfs.captured(true);
    hops = hdfs.captured(false);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
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

  private static long write(String policy, Write write, RandomGenerator random) throws IOException {
    hdfs.decisions().begin(random);
    return hdfs.write(path(policy, write), policy, write);
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
      List<NameNodeDecisions.Decision> live = hdfs.decisions().heard();
      SimulatedHost.Placed placed = place(simulated, policy, fileId, write, seed);
      assertThat(live).as("%s: a decision a block", write).hasSize(write.blocks());
      for (int i = 0; i < write.blocks(); i++) {
        NameNodeDecisions.Decision decision = live.get(i);
        assertThat(LiveHdfs.text(placed.requests().get(i), simulated.cluster().view()))
            .as("%s: what is asked for block %d", write, i)
            .isEqualTo(LiveHdfs.text(decision.request(), decision.view()));
        assertThat(replicas(simulated, placed, i))
            .as("%s: block %d, %s", write, i, decision.decision().describe(decision.view()))
            .hasSize(write.replication())
            .isEqualTo(Replica.chosen(decision.decision(), decision.view()));
      }
      LocatedBlocks stored = hdfs.located(path(policy, write), write.replication(), OUTSIDE);
      for (int i = 0; i < write.blocks(); i++) {
        assertThat(hdfs.numbers(stored.get(i)))
            .as("%s: HDFS stored block %d where the plug-in said", write, i)
            .containsExactlyInAnyOrderElementsOf(simulated.nodes(placed, i));
      }
    }
  }

  /** The test above fails when the hosts do not agree. */
  @Test
  void anotherSeedGivesAnotherPlacement() throws IOException {
    Write write = new Write(3, 3, OUTSIDE);
    long fileId = write("random", write, new SplittableRandom(1));
    List<List<Replica>> live =
        hdfs.decisions().heard().stream()
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
    // An HDFS client leaves auto to the NameNode: ReadsInTwoHostsIT compares that one.
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
          liveSession.observe(fileId, livePick, LiveHdfs.BLOCK_BYTES, 1 + index, 0);
          simulatedSession.observe(fileId, pick, LiveHdfs.BLOCK_BYTES, 1 + index, 0);
        }
      }
    }
  }

  private record Read(String path, int index, int reader, long task) {}

  private static void compare(
      Read read, SimulatedHost.Placed placed, AccessPick livePick, AccessPick pick)
      throws IOException {
    Configuration conf = hdfs.cluster().configurationOn(hdfs.embedded(read.reader()));
    conf.set("tierwise.access.random.seed", String.valueOf(SEED));
    conf.set("tierwise.access.task-index", String.valueOf(read.task()));
    LocatedBlocks blocks =
        hdfs.located(read.path(), placed.namespace().replication(), read.reader());
    LocatedBlock block = blocks.get(read.index());
    List<Integer> before = hdfs.numbers(block);
    ClientOrder order = new ClientOrder(conf, hdfs.tiers());
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
    assertThat(hdfs.numbers(block))
        .as("what the client reads from, in order")
        .isEqualTo(live.answer().order().stream().map(before::get).toList());
  }
}
