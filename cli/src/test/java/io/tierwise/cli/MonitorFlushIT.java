package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code monitor run --once --flush} on an HDFS whose SSDs are nearly full. */
class MonitorFlushIT {
  private static final int MB = 1 << 20;
  private static final int NODES = 3;
  private static final int SSD_MB = 16;
  private static final int FILES = 34;
  private static final int SURPLUS_FILES = 4;
  private static final String MARKS = "ssd=70:50";
  private static final Path FULL = new Path("/full");
  private static final Path LAZY = new Path("/lazy");

  @TempDir static java.nio.file.Path folder;
  private static ManagedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void fill() throws Exception {
    Configuration conf = ManagedHdfs.configuration();
    ManagedHdfs.haveHdfsHurry(conf);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DU_RESERVED_KEY, 0);
    long[][] capacities = new long[NODES][];
    Arrays.fill(capacities, new long[] {(long) SSD_MB * MB, 1L << 30});
    hdfs =
        ManagedHdfs.start(
            folder,
            ManagedHdfs.SSD_AND_DISK,
            conf,
            nodes ->
                nodes
                    .numDataNodes(NODES)
                    .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
                    .storageCapacities(capacities));
    fs = hdfs.fs();
    write(FULL, FILES);
    write(LAZY, SURPLUS_FILES);
    setPolicy(LAZY, "layout:2 x disk + 1 x ssd surplus");
  }

  @AfterAll
  static void stop() {
    hdfs.cluster().shutdown();
  }

  /** Files of a block with a replica on an SSD each, the first one the oldest. */
  private static void write(Path directory, int files) throws Exception {
    fs.mkdirs(directory);
    setPolicy(directory, "layout:1 x ssd + 2 x disk");
    for (int i = 0; i < files; i++) {
      Path file = file(directory, i);
      DFSTestUtil.createFile(fs, file, 4096, MB, MB, (short) 3, i);
      hdfs.awaitReplicas(file.toString(), 3);
      fs.setTimes(file, 1_000_000L * (i + 1), -1);
    }
  }

  private static Path file(Path directory, int index) {
    return new Path(directory, String.format("f%02d", index));
  }

  private static void setPolicy(Path path, String policy) throws IOException {
    fs.setXAttr(path, "user.tierwise.placement", policy.getBytes(UTF_8));
  }

  private static CommandRun run(String... arguments) {
    return hdfs.run(
        Stream.concat(
                Stream.of(arguments),
                Stream.of(
                    "-D",
                    "tierwise.mover.journal.directory=" + folder.resolve("journal"),
                    // As the DataNodes of a mini cluster do.
                    "-D",
                    KeptFree.DATA_NODE_KEY + "=0"))
            .toArray(String[]::new));
  }

  private static CommandRun flush() throws IOException {
    for (DataNode node : hdfs.cluster().getDataNodes()) {
      // Hadoop waits until a heartbeat begins: the second one begins when the first is handled.
      DataNodeTestUtils.triggerHeartbeat(node);
      DataNodeTestUtils.triggerHeartbeat(node);
    }
    return run("monitor", "run", "--once", "--flush", MARKS, "--json");
  }

  private static LocatedBlock block(Path file) throws IOException {
    return DFSTestUtil.getAllBlocks(fs, file).get(0);
  }

  private static List<String> types(Path directory, int files) throws IOException {
    String[] types = new String[files];
    for (int i = 0; i < files; i++) {
      types[i] =
          String.join(
              " ",
              Arrays.stream(block(file(directory, i)).getStorageTypes())
                  .map(Enum::name)
                  .sorted()
                  .toList());
    }
    return List.of(types);
  }

  /** How few replicas any file had at any moment of some work, below each directory. */
  private record Fewest(int full, int lazy) {
    Fewest and(Fewest other) {
      return new Fewest(Math.min(full, other.full), Math.min(lazy, other.lazy));
    }

    static Fewest now() throws IOException {
      return new Fewest(of(FULL, FILES), of(LAZY, SURPLUS_FILES));
    }

    private static int of(Path directory, int files) throws IOException {
      int fewest = Integer.MAX_VALUE;
      for (int i = 0; i < files; i++) {
        fewest = Math.min(fewest, block(file(directory, i)).getLocations().length);
      }
      return fewest;
    }

    static Fewest until(AtomicBoolean over) {
      try {
        Fewest fewest = now();
        while (!over.get()) {
          fewest = fewest.and(now());
        }
        return fewest;
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void aFullTierIsFlushedAndNoFileHasFewerReplicasThanItsLayoutWants() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Fewest> watched = CompletableFuture.supplyAsync(() -> Fewest.until(over));
    CommandRun run = flush();
    // What HDFS drops goes with the next heartbeats.
    for (int i = 0; i < SURPLUS_FILES; i++) {
      DFSTestUtil.waitReplication(fs, file(LAZY, i), (short) 2);
    }
    over.set(true);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(watched.join()).isEqualTo(new Fewest(3, 2));
    assertThat(types(LAZY, SURPLUS_FILES)).as("surplus ones first").containsOnly("DISK DISK");
    JsonNode flushed = new ObjectMapper().readTree(run.out().lines().skip(1).findFirst().get());
    int moved = flushed.path("replicas").asInt();
    // 38 of 48 MiB are used, and 24 are half: four are surplus, and a checksum file takes its room.
    assertThat(moved).isBetween(10, 11);
    assertThat(flushed.path("files").asInt()).isEqualTo(SURPLUS_FILES + moved);
    List<String> full = types(FULL, FILES);
    assertThat(full.subList(0, moved)).as("the oldest").containsOnly("DISK DISK DISK");
    assertThat(full.subList(moved, FILES)).containsOnly("DISK DISK SSD");

    CommandRun again = flush();
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out().lines()).as("below the first mark: a round alone").hasSize(1);

    CommandRun undo = run("undo", flushed.path("id").asText(), "--json");
    assertThat(undo.exitCode()).as(undo.err() + undo.out()).isZero();
    assertThat(types(FULL, FILES)).containsOnly("DISK DISK SSD");

    fs.removeXAttr(FULL, "user.tierwise.placement");
    fs.removeXAttr(LAZY, "user.tierwise.placement");
    CommandRun none = flush();
    assertThat(none.exitCode()).isEqualTo(ExitCode.CLUSTER);
    assertThat(none.err())
        .hasLineCount(1)
        .contains("no byte of ssd would become free", "its policy is no layout");
  }
}
