package io.tierwise.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.cli.ReportedReplicas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes read of files, by the client traces that real DataNodes wrote while they were read. */
class ClientTracesIT {
  private static final String AUDIT = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit";

  /** As the guide has it. */
  private static final String TRACES =
      "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace";

  private static final int BLOCK = 1 << 20;
  private static final int CHUNK = 512;

  @TempDir private Path folder;
  private Written audit;
  private Written traces;

  /** A log that is written to a file while it is open. */
  private record Written(Logger logger, Level before, FileAppender appender) {
    static Written to(Path file, String name, Level level) throws IOException {
      Logger logger = Logger.getLogger(name);
      Level before = logger.getLevel();
      FileAppender appender =
          new FileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), file.toString());
      logger.addAppender(appender);
      logger.setLevel(level);
      return new Written(logger, before, appender);
    }

    void close() {
      logger.removeAppender(appender);
      logger.setLevel(before);
      appender.close();
    }
  }

  @AfterEach
  void closeLogs() {
    for (Written each : new Written[] {audit, traces}) {
      if (each != null) {
        each.close();
      }
    }
  }

  private static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private void openLogs(Level level) throws IOException {
    audit = Written.to(folder.resolve("hdfs-audit.log"), AUDIT, Level.INFO);
    traces = Written.to(folder.resolve("datanode.log"), TRACES, level);
  }

  private CommandRun advise(Path image) {
    return CommandRun.of(
        "advise",
        "--zone",
        ZoneId.systemDefault().getId(),
        "--audit-log",
        folder.resolve("hdfs-audit.log").toString(),
        "--client-traces",
        folder.resolve("datanode.log").toString(),
        "--fsimage",
        image.toString(),
        "--json");
  }

  private static Configuration conf() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.blocksize", BLOCK);
    conf.set(
        "dfs.block.local-path-access.user",
        UserGroupInformation.getCurrentUser().getShortUserName());
    return conf;
  }

  private MiniDFSCluster start() throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf(), folder.toFile()).numDataNodes(3).build();
    cluster.waitActive();
    return cluster;
  }

  /** A client that reads the files of blocks itself, and asks no DataNode for bytes. */
  private static void readShortCircuit(MiniDFSCluster cluster, String path) throws IOException {
    Configuration conf = new Configuration(cluster.getFileSystem().getConf());
    conf.setBoolean("dfs.client.read.shortcircuit", true);
    conf.setBoolean("dfs.client.use.legacy.blockreader.local", true);
    conf.set("dfs.client.context", "short-circuit");
    try (FileSystem own = FileSystem.newInstance(cluster.getURI(), conf)) {
      DFSTestUtil.readFileAsBytes(own, hadoop(path));
    }
  }

  private static void read(MiniDFSCluster cluster) throws IOException {
    DistributedFileSystem fs = cluster.getFileSystem();
    DFSTestUtil.readFileAsBytes(fs, hadoop("/whole"));
    try (FSDataInputStream in = fs.open(hadoop("/part"))) {
      in.readFully(2 * BLOCK - 1_000, new byte[50_000]);
    }
    DFSTestUtil.readFileAsBytes(fs, hadoop("/coded/f"));
    // Before the last read that DataNodes trace: what is opened later is outside the traces' time.
    readShortCircuit(cluster, "/short");
    DFSTestUtil.readFileAsBytes(fs, hadoop("/gone"));
    fs.delete(hadoop("/gone"), false);
  }

  @Test
  void tellsTheBytesThatWereReadOfEachFile() throws Exception {
    openLogs(Level.DEBUG);
    try (MiniDFSCluster cluster = start()) {
      DistributedFileSystem fs = cluster.getFileSystem();
      fs.mkdirs(hadoop("/coded"));
      fs.enableErasureCodingPolicy("XOR-2-1-1024k");
      fs.setErasureCodingPolicy(hadoop("/coded"), "XOR-2-1-1024k");
      for (String path : List.of("/whole", "/part", "/coded/f", "/gone", "/short")) {
        DFSTestUtil.createFile(fs, hadoop(path), 3 * BLOCK - 77, (short) 1, 1);
      }
      read(cluster);
      // Copies between DataNodes are no reads. Who waits for them must not open the file, either:
      // an
      // open behind the traces, and behind the border of a window, is a read of its own.
      fs.setReplication(hadoop("/whole"), (short) 3);
      ReportedReplicas.await(cluster.getNameNode(), "/whole", 3);

      CommandRun run = advise(AdviseIT.save(cluster));

      assertThat(run.exitCode()).as(run.err()).isZero();
      JsonNode advice = new ObjectMapper().readTree(run.out());
      JsonNode told = advice.path("traces");
      assertThat(bytes(advice, "/whole")).isEqualTo(3 * BLOCK - 77);
      assertThat(bytes(advice, "/coded/f")).isEqualTo(3 * BLOCK - 77);
      // Of both blocks whole chunks are sent.
      assertThat(bytes(advice, "/part")).isBetween(50_000L, 50_000L + 2 * CHUNK);
      assertThat(bytes(advice, "/short")).isEqualTo(3 * BLOCK - 77);
      assertThat(told.path("traced").path("files").asInt()).isEqualTo(3);
      assertThat(told.path("estimated").path("files").asInt()).isEqualTo(1);
      assertThat(told.path("estimated").path("bytes").asLong()).isEqualTo(3 * BLOCK - 77);
      assertThat(told.path("unmapped_blocks").asInt()).isEqualTo(3);
      assertThat(told.path("unmapped_bytes").asLong())
          .isBetween(3L * BLOCK - 77, 3L * BLOCK - 77 + CHUNK);
      assertThat(told.path("lines").path("corrupt").asInt()).as(told.toString()).isZero();
      assertThat(told.path("data_nodes").asInt()).isBetween(2, 3);
    }
  }

  /** DataNodes write lines of writes at INFO, and none of reads. */
  @Test
  void saysHowTracesAreSwitchedOn() throws Exception {
    openLogs(Level.INFO);
    try (MiniDFSCluster cluster = start()) {
      DFSTestUtil.createFile(cluster.getFileSystem(), hadoop("/whole"), BLOCK, (short) 1, 1);
      DFSTestUtil.readFileAsBytes(cluster.getFileSystem(), hadoop("/whole"));

      CommandRun run = advise(AdviseIT.save(cluster));

      assertThat(Files.readString(folder.resolve("datanode.log"))).contains("op: HDFS_WRITE");
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains(TRACES + " is at DEBUG").hasLineCount(1);
    }
  }

  private static long bytes(JsonNode advice, String path) {
    for (JsonNode file : advice.path("hottest_files")) {
      if (file.path("path").asText().equals(path)) {
        return file.path("read_bytes").asLong();
      }
    }
    throw new AssertionError(path + " is none of " + advice.path("hottest_files"));
  }
}
