package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.TierwiseCommand;
import io.tierwise.policies.text.PolicyJar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The policies of docs/how-to/write-a-policy.md on HDFS: NameNode and client are processes that
 * have the jar on their class path, and nothing else of it.
 */
@Tag("long")
class PolicyJarIT {
  private static final Path SOURCES = Path.of("../docs/examples/policies");
  private static final String OURS = System.getProperty("java.class.path");
  private static final String PLACEMENT = "first-blocks:blocks=2";
  private static final int BLOCK_BYTES = 1 << 20;
  private static final int BLOCKS = 8;
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}}
        - {name: slow, match: {storage-type: DISK}}
      """;

  private static final Map<String, String> CLIENT =
      Map.of(
          "fs.hdfs.impl",
          "io.tierwise.hadoop.hdfs.client.TierwiseFileSystem",
          "tierwise.access.strategy",
          "least-busy");

  @TempDir static Path folder;
  private static HdfsProcesses hdfs;

  @BeforeAll
  static void start() throws IOException {
    Path jar = PolicyJar.make(SOURCES, OURS, folder.resolve("jar"));
    hdfs = new HdfsProcesses(folder, jar);
    String namenode = "io.tierwise.hadoop.hdfs.namenode.";
    hdfs.startNameNode(
        Map.of(
            "dfs.block.replicator.classname",
            namenode + "TierwisePlacementPolicy",
            "dfs.namenode.plugins",
            namenode + "TierwiseNameNodePlugin"),
        TIERS);
    hdfs.startDataNode("datanode-0", Map.of(), TIERS);
    hdfs.startDataNode("datanode-1", Map.of(), TIERS);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static void write(String path) throws IOException {
    Configuration conf = new Configuration();
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), conf)) {
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
      fs.mkdirs(file.getParent());
      fs.setXAttr(
          file.getParent(), "user.tierwise.placement", PLACEMENT.getBytes(StandardCharsets.UTF_8));
      try (FSDataOutputStream out = fs.create(file, true, 4096, (short) 2, BLOCK_BYTES)) {
        out.write("x".repeat(BLOCKS * BLOCK_BYTES).getBytes(StandardCharsets.UTF_8));
      }
      List<LocatedBlock> blocks =
          ((DistributedFileSystem) fs).getClient().getLocatedBlocks(path, 0).getLocatedBlocks();
      assertThat(blocks).hasSize(BLOCKS);
      assertThat(blocks.subList(0, 2))
          .allMatch(block -> block.getStorageTypes()[0] == StorageType.SSD);
    }
  }

  @Test
  void theNameNodePlacesAndTheClientReadsByPoliciesOfAnotherJar() throws IOException {
    write("/managed/file");

    String metrics = hdfs.get(HdfsProcesses.NAME_NODE, "/prom");
    assertThat(metrics.lines())
        .anyMatch(
            line ->
                line.matches(
                    "tierwise_placement_decisions_total\\{.*policy=\"first-blocks[^\"]*\".*} "
                        + BLOCKS));
    assertThat(
            hdfs.client(
                    "reader",
                    CLIENT,
                    hdfs.classPath(),
                    BusyNodeReads.class.getName(),
                    "/managed/file")
                .lines())
        .containsSubsequence(BusyNodeReads.all(BLOCKS));
    assertThat(
            hdfs.client(
                "explainer",
                CLIENT,
                hdfs.classPath(),
                TierwiseCommand.class.getName(),
                "explain",
                "/managed/file"))
        .contains(PLACEMENT, "least-busy");
  }

  @Test
  void aClientWithoutTheJarSaysWhichStrategyItDoesNotKnow() throws IOException {
    assertThat(hdfs.client("stranger", CLIENT, OURS, FsShell.class.getName(), "-ls", "/"))
        .contains("tierwise.access.strategy", "least-busy");
  }
}
