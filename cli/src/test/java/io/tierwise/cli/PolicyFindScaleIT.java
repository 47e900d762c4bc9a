package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.common.GenerationStamp;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code policy find} over many files, in a process whose heap could not hold them. The count is
 * the system property {@code tierwise.find.files}.
 */
@Tag("long")
class PolicyFindScaleIT {
  private static final int FILES = Integer.getInteger("tierwise.find.files", 1_000_000);
  private static final int FILES_OF_DIRECTORY = 5_000;
  private static final int HEAP_MEGABYTES = 64;
  private static final int REPLICAS = 3;
  private static final long BYTES = 1_000;
  private static final long FIRST_ID = 1L << 40;
  private static final PermissionStatus OWNER =
      new PermissionStatus("u", "g", FsPermission.getDirDefault());

  @TempDir static Path folder;

  @Test
  void memoryDoesNotGrowWithTheNumberOfFiles() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile())
            .numDataNodes(REPLICAS)
            .build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      fs.mkdirs(new org.apache.hadoop.fs.Path("/many"));
      fs.setXAttr(
          new org.apache.hadoop.fs.Path("/many"),
          "user.tierwise.placement",
          "layout:3 x disk".getBytes(StandardCharsets.UTF_8));
      makeFiles(cluster.getNamesystem());
      long start = System.nanoTime();
      JsonNode total = find(fs);
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "find: %d files in %.1f s with a heap of %d MB%n",
          total.path("files").asLong(), seconds, HEAP_MEGABYTES);
      assertThat(total.path("files").asInt()).isEqualTo(FILES);
      assertThat(total.path("compliance").path("files").asInt()).isEqualTo(FILES);
      assertThat(total.path("compliance").path("blocks_on_tier").asInt()).isEqualTo(FILES);
    }
  }

  /**
   * Files of one block with a replica on each node, put into the NameNode's memory as they are: a
   * million writes would take an hour.
   */
  private static void makeFiles(FSNamesystem namesystem) throws IOException {
    FSDirectory tree = namesystem.getFSDirectory();
    DatanodeStorageInfo[] holders =
        namesystem.getBlockManager().getDatanodeManager().getDatanodes().stream()
            .map(node -> node.getStorageInfos()[0])
            .toArray(DatanodeStorageInfo[]::new);
    assertThat(holders).hasSize(REPLICAS);
    namesystem.writeLock();
    try {
      INodeDirectory root = tree.getINode("/many").asDirectory();
      INodeDirectory directory = null;
      for (int i = 0; i < FILES; i++) {
        long id = FIRST_ID + 2L * i;
        if (i % FILES_OF_DIRECTORY == 0) {
          directory = new INodeDirectory(id + 1, name("d", i / FILES_OF_DIRECTORY), OWNER, 0);
          root.addChild(directory);
          tree.addToInodeMap(directory);
        }
        Block block = new Block(id, BYTES, GenerationStamp.LAST_RESERVED_STAMP);
        BlockInfo stored = new BlockInfoContiguous(block, (short) REPLICAS);
        INodeFile file =
            new INodeFile(
                id, name("f", i), OWNER, 0, 0, new BlockInfo[] {stored}, (short) REPLICAS, 1 << 20);
        namesystem.getBlockManager().addBlockCollection(stored, file);
        for (DatanodeStorageInfo holder : holders) {
          holder.addBlock(stored, stored);
        }
        directory.addChild(file);
        tree.addToInodeMap(file);
      }
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  private static byte[] name(String prefix, int number) {
    return "%s%07d".formatted(prefix, number).getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode find(DistributedFileSystem fs) throws Exception {
    Path answer = folder.resolve("answer.json");
    Process process =
        new ProcessBuilder(
                TierwiseJvm.line(
                    List.of("-Xmx" + HEAP_MEGABYTES + "m", "-XX:+ExitOnOutOfMemoryError"),
                    List.of(),
                    "policy",
                    "find",
                    "/",
                    "--json",
                    "--fs",
                    fs.getUri().toString()))
            .redirectOutput(answer.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.waitFor()).isZero();
    List<String> lines =
        Files.readAllLines(answer).stream().filter(line -> line.startsWith("{")).toList();
    return new ObjectMapper().readTree(lines.get(lines.size() - 1));
  }
}
