package io.tierwise.hadoop.mover;

import static io.tierwise.hadoop.mover.SeenMonitor.shown;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.sps.ExternalStoragePolicySatisfier;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Hadoop's storage policy satisfier, a process of its own with its defaults, beside repairs. */
@Tag("long")
@ExtendWith(MixedCluster.class)
class SatisfierBesideIT {
  private static final String MODE = DFSConfigKeys.DFS_STORAGE_POLICY_SATISFIER_MODE_KEY;
  private static final String MONITOR = "io.tierwise.hadoop.hdfs.namenode.Monitor";
  private static final int BLOCKS = 3;
  private static final int SECONDS_MAX = 120;

  private final LiveCluster cluster;
  private final SeenMonitor monitor;

  @TempDir private java.nio.file.Path folder;
  private Process satisfier;

  SatisfierBesideIT(LiveCluster cluster) {
    this.cluster = cluster;
    this.monitor = new SeenMonitor(cluster);
  }

  @BeforeEach
  void startSatisfier() throws Exception {
    cluster.mini().getNameNode().reconfigureProperty(MODE, "external");
    Configuration site = new Configuration(false);
    site.set("fs.defaultFS", cluster.fs().getUri().toString());
    site.set(MODE, "external");
    try (var out = Files.newOutputStream(folder.resolve("hdfs-site.xml"))) {
      site.writeXml(out);
    }
    try (var out = Files.newOutputStream(folder.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
    ProcessBuilder builder = ChildJvm.of(ExternalStoragePolicySatisfier.class, "256m");
    List<String> command = builder.command();
    int classPath = command.indexOf("-cp") + 1;
    command.set(classPath, folder + File.pathSeparator + command.get(classPath));
    File said = folder.resolve("satisfier.txt").toFile();
    satisfier = builder.redirectErrorStream(true).redirectOutput(said).start();
    LiveCluster.await(
        "the satisfier",
        () -> {
          assertThat(satisfier.isAlive()).as("see " + said).isTrue();
          return cluster.fs().exists(HdfsServerConstants.MOVER_ID_PATH);
        },
        SECONDS_MAX);
  }

  @AfterEach
  void stopSatisfier() throws Exception {
    satisfier.destroy();
    assertThat(satisfier.waitFor(1, TimeUnit.MINUTES)).isTrue();
    cluster.mini().getNameNode().reconfigureProperty(MODE, "none");
  }

  @Test
  void whatItMovesBackIsLeftAloneAndSaidToBeItsWork() throws IOException {
    long backOffsBefore = shown("BackOffs", "mover");
    int aloneBefore = (int) shown("LeftAloneBlocks");
    Path file = cluster.write("/t/file", BLOCKS, 3);
    cluster.setPolicy("/t", "layout:3 x ssd");
    monitor.walk();
    assertThat(monitor.repairs().round().done()).isEqualTo(BLOCKS);
    assertThat(cluster.typesOf(file)).containsOnly("SSD SSD SSD");

    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(MONITOR));
    try {
      cluster.fs().satisfyStoragePolicy(file);
      LiveCluster.await(
          "the satisfier's moves",
          () -> cluster.typesOf(file).stream().allMatch("DISK DISK DISK"::equals),
          SECONDS_MAX);
      monitor.walk();
    } finally {
      log.stopCapturing();
    }

    assertThat(shown("BackOffs", "mover") - backOffsBefore).isEqualTo(BLOCKS);
    assertThat((int) shown("LeftAloneBlocks") - aloneBefore).isEqualTo(BLOCKS);
    assertThat(log.getOutput())
        .contains("were moved back by Hadoop's Mover or its storage policy satisfier (on ")
        .contains("dfs.storage.policy.satisfier.mode to none");
    assertThat(monitor.repairs().round()).isEqualTo(new Repairs.Round(0, 0, 0, 0));
    assertThat(cluster.typesOf(file)).containsOnly("DISK DISK DISK");
  }
}
