package io.tierwise.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.cli.process.HdfsProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The doctor on daemons that order reads, and are not asked for placement. */
@Tag("long")
class DoctorReadsAloneIT {
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}, class: {read-megabytes-per-second: 500}}
        - {name: slow, match: {storage-type: DISK}, class: {read-megabytes-per-second: 100}}
      """;
  private static final Map<String, String> READS =
      Map.of(
          "dfs.namenode.plugins",
          "io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin",
          "dfs.net.topology.impl",
          "io.tierwise.hadoop.hdfs.topology.TierwiseTopology",
          "tierwise.namenode.access.strategy",
          "auto");
  private static final String NOT_USED =
      "ok +namenode \\S+: not used: placement by tier; dfs.block.replicator.classname is"
          + " \\S+BlockPlacementPolicyDe";

  @TempDir static Path folder;
  private static HdfsProcesses hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new HdfsProcesses(folder.resolve("hdfs"));
    hdfs.startNameNode(READS, TIERS);
    hdfs.startDataNode("datanode", Map.of(), TIERS);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static CommandRun doctor(String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "doctor";
    arguments[1] = "--conf";
    arguments[2] = hdfs.conf(HdfsProcesses.NAME_NODE).toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return CommandRun.of(arguments);
  }

  @Test
  void placementThatNobodyAskedForIsNotUsedAndNothingFails() {
    CommandRun run = doctor();
    assertThat(run.unfolded())
        .containsPattern(NOT_USED)
        .contains("dfs.namenode.plugins brings path policies and counters")
        .contains("the plug-in runs and publishes its counters")
        .doesNotContain("FAILURE")
        .contains(" 0 not checked");
    assertThat(run.exitCode()).as(run.out()).isZero();
  }

  @Test
  void whoSetsTheKeyInFilesOfTheirOwnHasAskedForIt() {
    String key = "dfs.block.replicator.classname";
    CommandRun run =
        doctor("-D", key + "=io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy");
    assertThat(run.unfolded())
        .containsPattern("FAILURE +namenode \\S+: " + key + " is \\S+BlockPlacementPolicyDe");
    assertThat(run.exitCode()).isEqualTo(3);
  }

  @Test
  void aDirectoryWithAPlacementHasAskedForIt() throws IOException {
    org.apache.hadoop.fs.Path hot = new org.apache.hadoop.fs.Path("/hot");
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), new Configuration())) {
      fs.mkdirs(hot);
      String attribute = "user.tierwise.placement";
      fs.setXAttr(hot, attribute, "stock".getBytes(StandardCharsets.UTF_8));
      assertThat(doctor().exitCode()).as("stock is what there is").isZero();
      fs.setXAttr(hot, attribute, "hybrid".getBytes(StandardCharsets.UTF_8));
      CommandRun run = doctor();
      assertThat(run.unfolded())
          .containsPattern(
              "FAILURE +paths: /hot: a placement is set, and NameNodes place as stock HDFS");
      assertThat(run.exitCode()).isEqualTo(3);
      fs.delete(hot, true);
    }
  }
}
