package io.tierwise.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.inspect.image.FsImage;
import io.tierwise.hadoop.inspect.image.ImageCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.log4j.FileAppender;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Advice by the image and the audit log that one and the same NameNode wrote. */
class AdviseIT {
  private static final String HOSTILE = "/hot/<b>\t\n'.csv";

  @TempDir private Path folder;

  private static void path(DistributedFileSystem fs, String path, int bytes, int replicas)
      throws IOException {
    DFSTestUtil.createFile(fs, hadoop(path), bytes, (short) replicas, 1);
  }

  private static org.apache.hadoop.fs.Path hadoop(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** What lives on, what only snapshots hold, what was renamed across one, what is coded. */
  private static void fill(DistributedFileSystem fs) throws IOException {
    path(fs, HOSTILE, 3 << 20, 2);
    path(fs, "/hot/plain", 1_500, 2);
    path(fs, "/cold/old", 2_000, 3);
    path(fs, "/kept/gone", 700, 2);
    path(fs, "/kept/below/gone", 300, 2);
    path(fs, "/kept/moves", 400, 1);
    fs.mkdirs(hadoop("/coded"));
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(hadoop("/coded"), "XOR-2-1-1024k");
    fs.setStoragePolicy(hadoop("/cold"), "COLD");
    path(fs, "/coded/f", 2 << 20, 1);
    fs.setXAttr(hadoop("/hot/plain"), "user.other", new byte[] {1});
    fs.allowSnapshot(hadoop("/kept"));
    fs.createSnapshot(hadoop("/kept"), "s");
    fs.delete(hadoop("/kept/gone"), false);
    fs.delete(hadoop("/kept/below"), true);
    fs.rename(hadoop("/kept/moves"), hadoop("/hot/moved"));
  }

  static Path save(MiniDFSCluster cluster) throws IOException {
    cluster.getFileSystem().setSafeMode(SafeModeAction.ENTER);
    cluster.getFileSystem().saveNamespace();
    try (Stream<Path> files =
        Files.list(Path.of(cluster.getNameDirs(0).iterator().next()).resolve("current"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
          .max(Path::compareTo)
          .orElseThrow();
    }
  }

  private MiniDFSCluster start(Configuration conf) throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, folder.toFile()).numDataNodes(3).build();
    cluster.waitActive();
    return cluster;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "org.apache.hadoop.io.compress.GzipCodec"})
  void readsWhatTheNameNodeHas(String codec) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 512);
    conf.setLong("dfs.blocksize", 1 << 20);
    if (!codec.isEmpty()) {
      conf.setBoolean("dfs.image.compress", true);
      conf.set("dfs.image.compression.codec", codec);
    }
    try (MiniDFSCluster cluster = start(conf)) {
      DistributedFileSystem fs = cluster.getFileSystem();
      fill(fs);
      Map<String, FileStatus> expected = new HashMap<>();
      RemoteIterator<LocatedFileStatus> all = fs.listFiles(hadoop("/"), true);
      while (all.hasNext()) {
        FileStatus status = all.next();
        expected.put(status.getPath().toUri().getPath(), status);
      }
      ContentSummary summary = fs.getContentSummary(hadoop("/"));
      int cold = HdfsConstants.StoragePolicy.COLD.value();
      Map<String, Integer> seen = new HashMap<>();

      ImageCounts counts =
          FsImage.read(
              save(cluster),
              file -> {
                String path = file.path().toString();
                FileStatus status = expected.get(path);
                assertThat(status).as(path).isNotNull();
                assertThat(file.bytes()).as(path).isEqualTo(status.getLen());
                assertThat(file.striped()).as(path).isEqualTo(status.isErasureCoded());
                if (!file.striped()) {
                  assertThat(file.replicas()).as(path).isEqualTo(status.getReplication());
                }
                assertThat(file.usedMillis())
                    .as(path)
                    .isEqualTo(Math.max(status.getAccessTime(), status.getModificationTime()));
                seen.put(path, file.storagePolicy());
                if (path.equals("/coded/f")) {
                  assertThat(file.storedBytes()).isEqualTo(3 << 20);
                }
              });

      assertThat(seen.keySet()).isEqualTo(expected.keySet()).contains(HOSTILE, "/hot/moved");
      assertThat(seen.get("/cold/old")).isEqualTo(cold);
      assertThat(seen.get("/hot/plain")).isZero();
      assertThat(counts.snapshotFiles()).isEqualTo(2);
      assertThat(counts.snapshotBytes()).isEqualTo(1_000);
      assertThat(summary.getSnapshotLength()).isEqualTo(1_400);
    }
  }

  @Test
  void advisesByItsImageAndItsLog() throws IOException {
    Path log = folder.resolve("hdfs-audit.log");
    FileAppender appender =
        new FileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), log.toString());
    Logger audit = Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
    Level before = audit.getLevel();
    audit.addAppender(appender);
    audit.setLevel(Level.INFO);
    try (MiniDFSCluster cluster = start(new HdfsConfiguration())) {
      DistributedFileSystem fs = cluster.getFileSystem();
      path(fs, "/cold/old", 2_000, 3);
      path(fs, "/before", 1_000, 2);
      fs.mkdirs(hadoop("/hot"));
      DFSTestUtil.readFile(fs, hadoop("/before"));
      fs.rename(hadoop("/before"), hadoop(HOSTILE));
      Path image = save(cluster);

      CommandRun run =
          CommandRun.of(
              "advise",
              "--zone",
              ZoneId.systemDefault().getId(),
              "--audit-log",
              log.toString(),
              "--fsimage",
              image.toString(),
              "--json");

      assertThat(run.exitCode()).as(run.err()).isZero();
      JsonNode advice = new ObjectMapper().readTree(run.out());
      // The read went with its file to the new name.
      assertThat(advice.path("hottest_files").findValuesAsText("path")).containsExactly(HOSTILE);
      assertThat(advice.path("heats").get(1).path("read_bytes").asLong()).isEqualTo(1_000);
      assertThat(advice.path("heats").get(2).path("stored_bytes").asLong()).isEqualTo(6_000);
    } finally {
      audit.removeAppender(appender);
      audit.setLevel(before);
      appender.close();
    }
  }
}
