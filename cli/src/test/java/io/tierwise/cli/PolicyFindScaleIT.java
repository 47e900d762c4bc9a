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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.io.EnumSetWritable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code policy find} over many files, in a process whose heap could not hold them. The count is
 * the system property {@code tierwise.find.files}.
 */
@Tag("long")
class PolicyFindScaleIT {
  private static final int FILES = Integer.getInteger("tierwise.find.files", 200_000);
  private static final int FILES_WITH_BLOCKS = 2_000;
  private static final int FILES_OF_DIRECTORY = 5_000;
  private static final int HEAP_MEGABYTES = 64;
  private static final int MAKERS = 64;

  @TempDir static Path folder;

  @Test
  void memoryDoesNotGrowWithTheNumberOfFiles() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, folder.resolve("hdfs").toFile()).numDataNodes(3).build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      fs.mkdirs(new org.apache.hadoop.fs.Path("/many"));
      fs.setXAttr(
          new org.apache.hadoop.fs.Path("/many"),
          "user.tierwise.placement",
          "layout:3 x disk".getBytes(StandardCharsets.UTF_8));
      makeFiles(cluster);
      IntStream.range(0, FILES_WITH_BLOCKS)
          .parallel()
          .forEach(i -> write(fs, "/many/written/" + i));
      long start = System.nanoTime();
      JsonNode total = find(fs);
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "find: %d files in %.1f s with a heap of %d MB%n",
          total.path("files").asLong(), seconds, HEAP_MEGABYTES);
      assertThat(total.path("files").asInt()).isEqualTo(FILES + FILES_WITH_BLOCKS);
      assertThat(total.path("compliance").path("files").asInt())
          .isEqualTo(FILES + FILES_WITH_BLOCKS);
      assertThat(total.path("compliance").path("blocks_on_tier").asInt())
          .isEqualTo(FILES_WITH_BLOCKS);
    }
  }

  /**
   * Empty files, made by calls into the NameNode: a client would take minutes. Each call waits for
   * the edit log, which writes the calls of many threads at once.
   */
  private static void makeFiles(MiniDFSCluster cluster) throws Exception {
    NamenodeProtocols nameNode = cluster.getNameNodeRpc();
    ExecutorService pool = Executors.newFixedThreadPool(MAKERS);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int maker = 0; maker < MAKERS; maker++) {
        int first = maker;
        tasks.add(
            () -> {
              for (int i = first; i < FILES; i += MAKERS) {
                make(nameNode, "/many/" + i / FILES_OF_DIRECTORY + "/file" + i);
              }
              return null;
            });
      }
      for (Future<Void> task : pool.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      pool.shutdown();
    }
  }

  private static void make(NamenodeProtocols nameNode, String path) throws IOException {
    HdfsFileStatus made =
        nameNode.create(
            path,
            FsPermission.getFileDefault(),
            "maker",
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            true,
            (short) 3,
            128L << 20,
            null,
            null,
            null);
    nameNode.complete(path, "maker", null, made.getFileId());
  }

  private static void write(DistributedFileSystem fs, String path) {
    try {
      DFSTestUtil.createFile(fs, new org.apache.hadoop.fs.Path(path), 100, (short) 3, 7);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode find(DistributedFileSystem fs) throws Exception {
    Path answer = folder.resolve("answer.json");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                TierwiseCommand.class.getName(),
                "policy",
                "find",
                "/",
                "--json",
                "--fs",
                fs.getUri().toString())
            .redirectOutput(answer.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(process.waitFor()).isZero();
    List<String> lines =
        Files.readAllLines(answer).stream().filter(line -> line.startsWith("{")).toList();
    return new ObjectMapper().readTree(lines.get(lines.size() - 1));
  }
}
