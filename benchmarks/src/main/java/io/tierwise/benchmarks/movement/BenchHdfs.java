package io.tierwise.benchmarks.movement;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoveOrder;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A stock HDFS with SSDs and disks, and files of blocks of 1 MiB on it, three replicas each. */
final class BenchHdfs implements AutoCloseable {
  static final Path DATA = new Path("/data");
  static final String ON_SSD = "layout:3 x ssd";
  static final String ON_DISK = "layout:3 x disk";
  static final int BLOCK_BYTES = 1 << 20;
  static final int BLOCKS_PER_FILE = 100;
  static final int REPLICAS = 3;

  private static final int NODES = 9;
  private static final int RACKS = 3;
  private static final long LOOK_NANOS = 50_000_000L;
  private static final long NO_LIMIT = 1L << 40;
  private static final String TIERS =
      """
      tiers:
        - {name: ssd, match: {storage-type: SSD}}
        - {name: disk, match: {storage-type: DISK}}
      """;

  private final java.nio.file.Path folder;
  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final ToDoubleFunction<Satisfier> processorSeconds;
  private final Runnable end;

  private BenchHdfs(
      java.nio.file.Path folder,
      Configuration conf,
      DistributedFileSystem fs,
      ToDoubleFunction<Satisfier> processorSeconds,
      Runnable end) {
    this.folder = folder;
    this.conf = conf;
    this.fs = fs;
    this.processorSeconds = processorSeconds;
    this.end = end;
  }

  /** Nine nodes in three racks, all in this process, each with an SSD and a disk of memory. */
  static BenchHdfs inThisProcess() throws IOException {
    java.nio.file.Path folder = newFolder();
    Configuration conf = withTiers(folder);
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    // Else HDFS would hold up whoever moves fastest.
    conf.setInt(DFSConfigKeys.DFS_DATANODE_BALANCE_MAX_NUM_CONCURRENT_MOVES_KEY, 500);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_BALANCE_BANDWIDTHPERSEC_KEY, 10L << 30);
    conf.set(DFSConfigKeys.DFS_STORAGE_POLICY_SATISFIER_MODE_KEY, "external");
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DU_RESERVED_KEY, 0);
    StorageType[][] types = new StorageType[NODES][];
    Arrays.fill(types, new StorageType[] {StorageType.SSD, StorageType.DISK});
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(NODES)
            .racks(IntStream.range(0, NODES).mapToObj(i -> "/r" + i % RACKS).toArray(String[]::new))
            .storagesPerDatanode(types[0].length)
            .storageTypes(types)
            .build();
    mini.waitActive();
    return new BenchHdfs(
        folder,
        conf,
        mini.getFileSystem(),
        satisfier -> ProcessorTime.ofThisProcess() + satisfier.processorSeconds(),
        mini::shutdown);
  }

  /**
   * The cluster of the configuration on the class path, which has SSDs and disks, and this machine
   * to itself.
   */
  static BenchHdfs configured() throws IOException {
    java.nio.file.Path folder = newFolder();
    Configuration conf = withTiers(folder);
    DistributedFileSystem fs =
        (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
    return new BenchHdfs(folder, conf, fs, satisfier -> ProcessorTime.ofTheMachine(), () -> {});
  }

  private static java.nio.file.Path newFolder() throws IOException {
    java.nio.file.Path memory = java.nio.file.Path.of("/dev/shm");
    return Files.isWritable(memory)
        ? Files.createTempDirectory(memory, "tierwise-bench")
        : Files.createTempDirectory("tierwise-bench");
  }

  private static Configuration withTiers(java.nio.file.Path folder) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(
        "tierwise.tiers.file", Files.writeString(folder.resolve("tiers.yaml"), TIERS).toString());
    return conf;
  }

  /** Processor time so far of the cluster, of this process and of the satisfier. */
  double processorSeconds(Satisfier satisfier) {
    return processorSeconds.applyAsDouble(satisfier);
  }

  java.nio.file.Path folder() {
    return folder;
  }

  DistributedFileSystem fs() {
    return fs;
  }

  /** A client's settings. */
  Configuration client() {
    Configuration client = new Configuration(fs.getConf());
    client.set("tierwise.tiers.file", conf.get("tierwise.tiers.file"));
    return client;
  }

  /** Writes so many blocks below a directory, on the disks. */
  void write(Path directory, int blocks) throws IOException {
    byte[] content = new byte[BLOCK_BYTES];
    new Random(1).nextBytes(content);
    for (int first = 0; first < blocks; first += BLOCKS_PER_FILE) {
      Path file = new Path(directory, "file" + first / BLOCKS_PER_FILE);
      try (FSDataOutputStream out = fs.create(file, true, 1 << 16, (short) REPLICAS, BLOCK_BYTES)) {
        for (int block = first; block < Math.min(blocks, first + BLOCKS_PER_FILE); block++) {
          out.write(content);
        }
      }
    }
    awaitAll(directory, blocks, StorageType.DISK, new CompletableFuture<>());
  }

  /** Waits until the NameNode reports all replicas on that type, or the work has failed. */
  void awaitAll(Path directory, int blocks, StorageType type, CompletableFuture<?> work)
      throws IOException {
    while (replicasOn(directory, type) < blocks * REPLICAS) {
      if (work.isCompletedExceptionally()) {
        work.join();
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private int replicasOn(Path directory, StorageType type) throws IOException {
    int count = 0;
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(directory, true);
    while (files.hasNext()) {
      for (var block : files.next().getBlockLocations()) {
        for (StorageType found : block.getStorageTypes()) {
          count += found == type ? 1 : 0;
        }
      }
    }
    return count;
  }

  /** The blocks of a file, or of all files below a directory, with their locations. */
  List<LocatedBlock> blocks(Path path) throws IOException {
    List<LocatedBlock> blocks = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(path, true);
    while (files.hasNext()) {
      String file = files.next().getPath().toUri().getPath();
      blocks.addAll(fs.getClient().getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks());
    }
    return blocks;
  }

  /** Ours with its defaults, but for the throttle, which is off. */
  MoverReport move(Path directory, String layout, Listener.Step progress) throws IOException {
    return move(directory, layout, MoverSettings.DEFAULT.atRates(NO_LIMIT, NO_LIMIT), progress);
  }

  MoverReport move(Path directory, String layout, MoverSettings settings, Listener.Step progress)
      throws IOException {
    MoverCluster cluster = MoverCluster.of(fs, client());
    try (Mover mover = Mover.open(cluster, settings)) {
      MoverReport report = mover.run(order(cluster, directory, layout), progress);
      if (!report.complete()) {
        throw new IOException("not all moved: " + report.left());
      }
      return report;
    }
  }

  /** How long ours is to take at the settings' rates. */
  double secondsPlanned(Path directory, String layout, MoverSettings settings) throws IOException {
    MoverCluster cluster = MoverCluster.of(fs, client());
    return Mover.plan(cluster, settings, order(cluster, directory, layout)).seconds();
  }

  private static MoveOrder order(MoverCluster cluster, Path directory, String layout) {
    return new MoveOrder(
        List.of(directory.toString()),
        Optional.of(PlacementPolicies.parse(layout, cluster.tiers().table())));
  }

  /** Brings all back to the disks. */
  void back(Path directory) throws IOException {
    fs.setStoragePolicy(directory, "HOT");
    move(directory, ON_DISK, Listener.Step.SILENT);
  }

  @Override
  public void close() {
    end.run();
    FileUtil.fullyDelete(folder.toFile());
  }
}
