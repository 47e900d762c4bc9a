package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.lab.demo.DemoKeys;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.movement.MovementHost;
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
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A running HDFS, and virtual clusters of the scenario that was captured from it, with replicas
 * where HDFS has them.
 */
record TwoHosts(
    Path folder,
    EmbeddedCluster cluster,
    DistributedFileSystem fs,
    List<DatanodeInfo> nodes,
    Scenario scenario)
    implements AutoCloseable {
  static final int BLOCK_BYTES = 1 << 20;
  static final int FILES = 4;
  static final int BLOCKS = 4;
  static final String ON_DISKS = "layout:3 x disk";

  private static final long AWAITED_NANOS_MAX = 60_000_000_000L;
  private static final EmbeddedPlan PLAN =
      new EmbeddedPlan(3, 3, 1, 0.03, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);

  /**
   * @param keys of the daemons beside the demo's
   */
  static TwoHosts start(Path folder, Configuration keys) throws IOException {
    Configuration daemons = DemoKeys.daemons(PLAN.nodes());
    keys.forEach(key -> daemons.set(key.getKey(), key.getValue()));
    EmbeddedCluster cluster = EmbeddedCluster.start(PLAN, daemons, folder.resolve("hdfs"));
    Configuration conf = cluster.configuration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    var fs = (DistributedFileSystem) FileSystem.newInstance(cluster.uri(), conf);
    List<DatanodeInfo> nodes =
        Stream.of(fs.getDataNodeStats())
            .sorted(
                Comparator.comparing(DatanodeInfo::getNetworkLocation)
                    .thenComparing(node -> node.getXferAddr()))
            .toList();
    List<String> capture = command(cluster, folder, "capture");
    String regions = "tierwise.namenode.regions";
    capture.addAll(List.of("-D", regions + "=" + cluster.configuration().get(regions)));
    Scenario scenario = ScenarioFiles.parse(run(capture).out(), "captured").scenario();
    return new TwoHosts(folder, cluster, fs, nodes, scenario);
  }

  @Override
  public void close() throws IOException {
    fs.close();
    cluster.close();
  }

  private static List<String> command(EmbeddedCluster cluster, Path folder, String... words) {
    List<String> command = new ArrayList<>(List.of(words));
    command.addAll(
        List.of(
            "--fs=" + cluster.uri(),
            "-D",
            "tierwise.tiers.file=" + folder.resolve("hdfs/tiers.yaml")));
    return command;
  }

  List<String> command(String... words) {
    return command(cluster, folder, words);
  }

  static CommandRun run(List<String> command) {
    CommandRun run = CommandRun.of(command.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run;
  }

  void setPolicy(String directory, String policy) throws IOException {
    var path = new org.apache.hadoop.fs.Path(directory);
    fs.mkdirs(path);
    fs.setXAttr(path, "user.tierwise.placement", policy.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes files below a directory under that policy. */
  void write(String directory, String policy) throws IOException {
    setPolicy(directory, policy);
    // Made one after the other, since ids follow the names; written at once, since disks are slow.
    List<CompletableFuture<Void>> writes = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      FSDataOutputStream out = create(directory, file);
      writes.add(CompletableFuture.runAsync(() -> fill(out)));
    }
    writes.forEach(CompletableFuture::join);
  }

  /** The same with blocks whose ids follow the names, too. */
  void writeInTurn(String directory, String policy) throws IOException {
    setPolicy(directory, policy);
    for (int file = 0; file < FILES; file++) {
      fill(create(directory, file));
    }
  }

  private FSDataOutputStream create(String directory, int file) throws IOException {
    var path = new org.apache.hadoop.fs.Path(directory, "part-" + file);
    return fs.create(path, true, 4096, (short) 3, BLOCK_BYTES);
  }

  private static void fill(FSDataOutputStream file) {
    try (file) {
      file.write(new byte[BLOCKS * BLOCK_BYTES]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files with all replicas known, in the order in which the mover looks at them. */
  List<HdfsLocatedFileStatus> stored(String directory) throws IOException {
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

  /** A node's number in the scenario. */
  int number(String hostAndPort) {
    return IntStream.range(0, nodes.size())
        .filter(
            node ->
                hostAndPort.equals(
                    nodes.get(node).getHostName() + ":" + nodes.get(node).getXferPort()))
        .findFirst()
        .orElseThrow();
  }

  /** A virtual cluster without files. */
  Virtual virtual() {
    Engine engine = new Engine();
    Transfers transfers = new Transfers(engine);
    VirtualCluster cluster =
        new VirtualCluster(scenario.cluster(), ScenarioTiers.table(scenario), transfers.network());
    Namespace namespace = new Namespace(3, BLOCK_BYTES);
    BlockPlacer placer =
        new BlockPlacer(
            cluster,
            namespace,
            PlacementPolicies.parse(ON_DISKS, cluster.view().tiers()),
            new SplittableRandom(1),
            false);
    return new Virtual(engine, transfers, cluster, namespace, placer);
  }

  /** A virtual cluster; its nodes have the numbers of {@link #nodes}. */
  record Virtual(
      Engine engine,
      Transfers transfers,
      VirtualCluster cluster,
      Namespace namespace,
      BlockPlacer placer) {
    ArrayClusterView view() {
      return cluster.view();
    }

    MovementHost host(Scenario scenario) {
      Paths paths = new Paths(cluster);
      return new MovementHost(
          scenario,
          engine,
          cluster,
          transfers,
          paths,
          new WriteBuffers(engine, cluster, transfers, paths, false),
          namespace,
          placer,
          new Meters(cluster));
    }

    private int volume(int node, StorageType type) {
      return IntStream.range(cluster.firstVolume(node), cluster.firstVolume(node + 1))
          .filter(
              volume ->
                  cluster.volume(volume).device().name().equals("disk")
                      == (type == StorageType.DISK))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Puts replicas where HDFS has them; policies see the inode's id, in whose order files come. */
  StoredFile store(Virtual virtual, String directory, HdfsLocatedFileStatus status) {
    Namespace namespace = virtual.namespace();
    for (long next = namespace.files().size() + 1L; next < status.getFileId(); next++) {
      namespace.create("", 0, 0);
    }
    StoredFile file =
        namespace.create(directory + "/" + status.getLocalName(), 1, (long) BLOCKS * BLOCK_BYTES);
    assertThat(file.fileIdOf(0)).isEqualTo(status.getFileId());
    List<LocatedBlock> blocks = status.getLocatedBlocks().getLocatedBlocks();
    for (int index = 0; index < blocks.size(); index++) {
      DatanodeInfo[] locations = blocks.get(index).getLocations();
      for (int replica = 0; replica < locations.length; replica++) {
        int node = nodes.indexOf(locations[replica]);
        int volume = virtual.volume(node, blocks.get(index).getStorageTypes()[replica]);
        StoredReplicas.put(virtual.placer(), file.block(index), volume, BLOCK_BYTES);
      }
    }
    return file;
  }
}
