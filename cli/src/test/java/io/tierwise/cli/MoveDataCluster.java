package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An HDFS of four nodes in two regions, and what commands say of the files of one directory. */
abstract class MoveDataCluster {
  static final Path WAREHOUSE = new Path("/warehouse");
  static final int BYTES = 100_000;

  @TempDir static java.nio.file.Path folder;
  static DistributedFileSystem fs;
  static java.nio.file.Path tiers;
  static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    tiers =
        Files.writeString(
            folder.resolve("tiers.yaml"),
            """
            tiers:
              - {name: ssd, match: {storage-type: SSD}}
              - {name: disk, match: {storage-type: DISK}}
            """);
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", tiers.toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    ManagedHdfs.haveHdfsHurry(conf);
    cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(4)
            .racks(new String[] {"/east/r1", "/east/r2", "/west/r1", "/west/r2"})
            .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK})
            .build();
    cluster.waitActive();
    fs = cluster.getFileSystem();
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @BeforeEach
  final void makeWarehouse() throws Exception {
    fs.delete(WAREHOUSE, true);
    fs.mkdirs(WAREHOUSE);
    for (int i = 0; i < 3; i++) {
      Path file = new Path(WAREHOUSE, "part-" + i);
      DFSTestUtil.createFile(fs, file, BYTES, (short) 3, i);
      DFSTestUtil.waitReplication(fs, file, (short) 3);
    }
  }

  /** Nodes without heartbeats drop nothing. */
  static void haveHeartbeatsInTheWest(boolean wanted) {
    for (int node = 2; node < 4; node++) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(cluster.getDataNodes().get(node), !wanted);
    }
  }

  static CommandRun run(String... arguments) {
    Stream<String> where =
        Stream.of(
            "--fs",
            fs.getUri().toString(),
            "-D",
            "tierwise.tiers.file=" + tiers,
            "-D",
            "tierwise.mover.journal.directory=" + folder.resolve("journal"));
    return CommandRun.of(Stream.concat(Stream.of(arguments), where).toArray(String[]::new));
  }

  static String[] with(String[] words, String... more) {
    return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
  }

  static JsonNode json(CommandRun run) throws IOException {
    return new ObjectMapper().readTree(run.out());
  }

  /** Replicas on SSD and on DISK. */
  static List<Integer> replicas() throws IOException {
    JsonNode rows = json(run("file", "where", "/warehouse", "--json")).path("tiers");
    return List.of(rows.get(0).path("replicas").asInt(), rows.get(1).path("replicas").asInt());
  }

  /** Replicas in each region that has any. */
  static List<Integer> regions() throws IOException {
    JsonNode rows = json(run("file", "where", "/warehouse", "--json")).path("regions");
    List<Integer> replicas = new ArrayList<>();
    rows.forEach(row -> replicas.add(row.path("replicas").asInt()));
    return replicas;
  }

  static void assertOneLine(CommandRun run, int code, String says) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(code);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasLineCount(1).contains(says);
  }
}
