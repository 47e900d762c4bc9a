package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.lab.demo.DemoKeys;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.movement.MovementHost;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.storage.StoredReplicas;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The mover on a running HDFS, and the simulator on the scenario that was captured from it, with
 * replicas where HDFS has them: they make the same moves, block by block.
 *
 * <p>Devices are slow: the first move is over long after the last block was planned, so that no
 * decision depends on which move was over first.
 */
@Tag("long")
class MovementInTwoHostsIT {
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int FILES = 4;
  private static final int BLOCKS = 4;
  private static final String ON_DISKS = "layout:3 x disk";
  private static final long AWAITED_NANOS_MAX = 60_000_000_000L;
  private static final EmbeddedPlan PLAN =
      new EmbeddedPlan(3, 3, 1, 0.03, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);

  @TempDir private static Path folder;
  private static EmbeddedCluster cluster;
  private static DistributedFileSystem fs;
  private static Scenario scenario;
  private static List<DatanodeInfo> nodes;

  /** A move, told alike of both hosts; nodes by their number in the scenario. */
  private record Made(
      String file, int block, int fromNode, String fromTier, int source, int toNode, String toTier)
      implements Comparable<Made> {
    @Override
    public int compareTo(Made other) {
      return toString().compareTo(other.toString());
    }
  }

  @BeforeAll
  static void start() throws Exception {
    Configuration daemons = DemoKeys.daemons(PLAN.nodes());
    daemons.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    cluster = EmbeddedCluster.start(PLAN, daemons, folder.resolve("hdfs"));
    var conf = cluster.configuration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    fs = (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), conf);
    nodes =
        Stream.of(fs.getDataNodeStats())
            .sorted(
                Comparator.comparing(DatanodeInfo::getNetworkLocation)
                    .thenComparing(node -> node.getXferAddr()))
            .toList();
    List<String> command = command("capture");
    String regions = "tierwise.namenode.regions";
    command.addAll(List.of("-D", regions + "=" + cluster.configuration().get(regions)));
    scenario = ScenarioFiles.parse(run(command).out(), "captured").scenario();
  }

  @AfterAll
  static void stop() throws IOException {
    fs.close();
    cluster.close();
  }

  private static List<String> command(String... words) {
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(
        List.of(
            "--fs=" + cluster.uri(),
            "-D",
            "tierwise.tiers.file=" + folder.resolve("hdfs/tiers.yaml")));
    return command;
  }

  private static CommandRun run(List<String> command) {
    CommandRun run = CommandRun.of(command.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  private static void write(String directory) throws IOException {
    var path = new org.apache.hadoop.fs.Path(directory);
    fs.mkdirs(path);
    fs.setXAttr(path, "user.tierwise.placement", ON_DISKS.getBytes(StandardCharsets.UTF_8));
    // Made one after the other, since ids follow the names; written at once, since disks are slow.
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      FSDataOutputStream out =
          fs.create(
              new org.apache.hadoop.fs.Path(path, "part-" + file),
              true,
              4096,
              (short) 3,
              BLOCK_BYTES);
      writes.add(CompletableFuture.runAsync(() -> fill(out)));
    }
    writes.forEach(CompletableFuture::join);
  }

  private static void fill(FSDataOutputStream file) {
    try (file) {
      file.write(new byte[BLOCKS * BLOCK_BYTES]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files with all replicas known, in the order in which the mover looks at them. */
  private static List<HdfsLocatedFileStatus> stored(String directory) throws IOException {
    long end = System.nanoTime() + AWAITED_NANOS_MAX;
    while (true) {
      List<HdfsLocatedFileStatus> files = new ArrayList<>();
      for (HdfsFileStatus each :
          fs.getClient()
              .listPaths(directory, HdfsFileStatus.EMPTY_NAME, true)
              .getPartialListing()) {
        files.add((HdfsLocatedFileStatus) each);
      }
      boolean all =
          files.stream()
              .flatMap(file -> file.getLocatedBlocks().getLocatedBlocks().stream())
              .allMatch(block -> block.getLocations().length == 3);
      if (all) {
        return files;
      }
      assertThat(System.nanoTime()).as("replicas reported in time").isLessThan(end);
      LockSupport.parkNanos(50_000_000L);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "layout:1 x pcie-ssd + 2 x disk",
        "layout:2 x sata-ssd + 1 x disk",
        "layout:1 x pcie-ssd + 1 x sata-ssd + 1 x disk on different racks",
        "tier-aware",
        "hybrid"
      })
  void bothMakeTheSameMovesBlockByBlock(String policy) throws Exception {
    String directory = "/" + Integer.toHexString(policy.hashCode());
    write(directory);
    List<HdfsLocatedFileStatus> files = stored(directory);

    List<Made> simulated = simulated(directory, files, policy);
    List<Made> live = live(directory, policy);

    assertThat(live).isNotEmpty();
    assertThat(simulated).isEqualTo(live);
  }

  private static List<Made> live(String directory, String policy) throws IOException {
    String journal = "--journal=" + folder.resolve("journal");
    List<String> set = command("policy", "set", directory, "--placement", policy, "--apply");
    set.addAll(List.of("--bandwidth", "1000", "--bandwidth-total", "1000", "--keep-free", "0"));
    set.add(journal);
    run(set);
    List<Made> moves = new ArrayList<>();
    CommandRun lines = CommandRun.of("journal", "last", "--json", journal);
    assertThat(lines.exitCode()).as(lines.err()).isZero();
    ObjectMapper mapper = new ObjectMapper();
    for (String line : lines.out().lines().toList()) {
      JsonNode step = mapper.readTree(line);
      if (step.path("kind").asText().equals("move")) {
        assertThat(step.path("result").asText()).as(line).isEqualTo("done");
        moves.add(
            new Made(
                step.path("path").asText(),
                step.path("block").asInt(),
                number(step.path("from").path("node").asText()),
                step.path("from").path("tier").asText(),
                number(step.path("source").asText()),
                number(step.path("to").path("node").asText()),
                step.path("to").path("tier").asText()));
      }
    }
    return moves.stream().sorted().toList();
  }

  private static int number(String hostAndPort) {
    return IntStream.range(0, nodes.size())
        .filter(
            node ->
                hostAndPort.equals(
                    nodes.get(node).getHostName() + ":" + nodes.get(node).getXferPort()))
        .findFirst()
        .orElseThrow();
  }

  private static List<Made> simulated(
      String directory, List<HdfsLocatedFileStatus> files, String policy) {
    Engine engine = new Engine();
    Transfers transfers = new Transfers(engine);
    VirtualCluster virtual =
        new VirtualCluster(scenario.cluster(), ScenarioTiers.table(scenario), transfers.network());
    ArrayClusterView view = virtual.view();
    Paths paths = new Paths(virtual);
    Namespace namespace = new Namespace(3, BLOCK_BYTES);
    BlockPlacer placer =
        new BlockPlacer(
            virtual,
            namespace,
            PlacementPolicies.parse(ON_DISKS, view.tiers()),
            new SplittableRandom(1),
            false);
    long nextId = 1;
    for (HdfsLocatedFileStatus file : files) {
      while (nextId < file.getFileId()) {
        namespace.create("", 0, 0);
        nextId++;
      }
      store(directory, file, virtual, namespace, placer);
      nextId++;
    }
    MovementLimits limits = new MovementLimits(1_000_000_000, 1_000_000_000, 4, 0);
    MovementHost host =
        new MovementHost(
            scenario.withMovements(List.of(new MovementSpec(0, directory, policy, limits))),
            engine,
            virtual,
            transfers,
            paths,
            new WriteBuffers(engine, virtual, transfers, paths, false),
            namespace,
            placer,
            new Meters(virtual));
    List<Made> moves = new ArrayList<>();
    host.tell(
        (file, index, move) ->
            moves.add(
                new Made(
                    file.path(),
                    index,
                    view.nodeOfVolume(move.from()),
                    view.tiers().tier(view.tierOfVolume(move.from())).name(),
                    view.nodeOfVolume(move.source()),
                    view.nodeOfVolume(move.to()),
                    view.tiers().tier(view.tierOfVolume(move.to())).name())));
    host.start();
    while (!host.isDone()) {
      assertThat(engine.step()).as("something happens until all is moved").isTrue();
    }
    return moves.stream().sorted().toList();
  }

  /** Puts a file's replicas where HDFS has them; policies see the inode's id. */
  private static void store(
      String directory,
      HdfsLocatedFileStatus status,
      VirtualCluster virtual,
      Namespace namespace,
      BlockPlacer placer) {
    StoredFile file =
        namespace.create(directory + "/" + status.getLocalName(), 1, (long) BLOCKS * BLOCK_BYTES);
    assertThat(file.fileIdOf(0)).isEqualTo(status.getFileId());
    List<LocatedBlock> blocks = status.getLocatedBlocks().getLocatedBlocks();
    for (int index = 0; index < blocks.size(); index++) {
      for (DatanodeInfo location : blocks.get(index).getLocations()) {
        int volume = disk(virtual, nodes.indexOf(location));
        StoredReplicas.put(placer, file.block(index), volume, BLOCK_BYTES);
      }
    }
  }

  private static int disk(VirtualCluster virtual, int node) {
    return IntStream.range(virtual.firstVolume(node), virtual.firstVolume(node + 1))
        .filter(volume -> virtual.volume(volume).device().name().equals("disk"))
        .findFirst()
        .orElseThrow();
  }
}
