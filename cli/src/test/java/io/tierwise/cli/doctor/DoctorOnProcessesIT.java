package io.tierwise.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.cli.process.HdfsProcesses;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The doctor on daemons that are processes of their own, each with its own files. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DoctorOnProcessesIT {
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}, class: {read-megabytes-per-second: 500}}
        - {name: slow, match: {storage-type: DISK}, class: {read-megabytes-per-second: 100}}
        - {name: tape, match: {storage-type: ARCHIVE}}
      """;
  private static final String NAMENODE = "io.tierwise.hadoop.hdfs.namenode.";
  private static final Map<String, String> PLUGINS =
      Map.of(
          "dfs.block.replicator.classname", NAMENODE + "TierwisePlacementPolicy",
          "dfs.namenode.plugins", NAMENODE + "TierwiseNameNodePlugin");

  @TempDir static Path folder;
  private static HdfsProcesses hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new HdfsProcesses(folder.resolve("hdfs"));
    hdfs.startNameNode(PLUGINS, TIERS);
    hdfs.startDataNode("same", limit("per-node.max", "8"), TIERS);
    hdfs.startDataNode("other", limit("per-node.max", "8"), "# edited here only\n" + TIERS);
    Map<String, String> wrong = new LinkedHashMap<>(limit("per-volume.max.flash", "2"));
    wrong.put(KeptFree.DATA_NODE_KEY, String.valueOf(10L << 40));
    hdfs.startDataNode("wrong", wrong, TIERS);
  }

  private static Map<String, String> limit(String key, String value) {
    return Map.of(
        "dfs.datanode.fsdataset.factory",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TierwiseDatasetFactory",
        "tierwise.datanode.readers." + key,
        value);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static CommandRun doctor(String... more) {
    return on(hdfs, more);
  }

  private static CommandRun on(HdfsProcesses cluster, String... more) {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "doctor";
    arguments[1] = "--conf";
    arguments[2] = cluster.conf(HdfsProcesses.NAME_NODE).toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return CommandRun.of(arguments);
  }

  @Test
  @Order(1)
  void whatIsSetUpWellIsOkAndNothingIsAlarmedAbout() {
    assertThat(doctor().unfolded())
        .contains("the plug-in runs and publishes its counters")
        .contains("reads the same tier table as this command")
        .contains("asked 3 of 3 nodes")
        .contains("looked at all directories")
        // No node has two tiers of one storage type.
        .doesNotContain("volume.choosing.policy")
        // No strategy is asked for.
        .doesNotContain("fs.hdfs.impl")
        .contains(" 0 not checked");
  }

  @Test
  @Order(2)
  void processesWithAnotherTierTableOrAWrongLimitAreNamed() throws IOException {
    CommandRun run = doctor("--json");
    assertThat(run.exitCode()).isEqualTo(3);
    JsonNode answer = new ObjectMapper().readTree(run.out());
    assertThat(answer.path("state").asText()).isEqualTo("failure");
    Map<String, String> failures = new LinkedHashMap<>();
    for (JsonNode finding : answer.path("findings")) {
      assertThat(finding.fieldNames())
          .toIterable()
          .containsExactly("grade", "where", "finding", "advice");
      if (finding.path("grade").asText().equals("failure")) {
        failures.put(finding.path("finding").asText(), finding.path("advice").asText());
      }
    }
    assertThat(failures.keySet())
        .hasSize(3)
        .anyMatch(
            f ->
                f.matches(
                    "127.0.0.1:\\d+ refuse blocks for volumes with less than 10.0 TiB left; the"
                        + " NameNode counts with 1.0 GiB and sends them there"))
        .anyMatch(
            f -> f.matches("127.0.0.1:\\d+ read another tier table: .*conf/other/tiers.yaml.*"))
        .anyMatch(f -> f.matches("127.0.0.1:\\d+ limit no reads: .*flash: unknown tier.*"));
  }

  @Test
  @Order(3)
  void aTierWithoutAVolumeAndAMalformedPolicyAreNamed() throws IOException {
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), new Configuration())) {
      fs.mkdirs(new org.apache.hadoop.fs.Path("/a/b"));
      fs.setXAttr(
          new org.apache.hadoop.fs.Path("/a/b"),
          "user.tierwise.placement",
          "layout:3 x flash".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(doctor().unfolded())
        .containsPattern("2 volumes of tier fast on 127.0.0.1:\\d+ hold less than is kept free")
        .contains("tier tape matches no volume")
        .contains("/a/b: user.tierwise.placement cannot be understood")
        .contains("1 of ");
  }

  @Test
  @Order(4)
  void anotherVolumeChoiceIsAskedForOnlyWhereANodeHasTwoTiersOfOneType() throws IOException {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), new Configuration())) {
      for (DatanodeStorageReport node :
          ((DistributedFileSystem) fs)
              .getClient()
              .getDatanodeStorageReport(DatanodeReportType.LIVE)) {
        List<String> ssds =
            Stream.of(node.getStorageReports())
                .filter(report -> report.getStorage().getStorageType() == StorageType.SSD)
                .map(report -> report.getStorage().getStorageID())
                .toList();
        first.add(ssds.get(0));
        second.add(ssds.get(1));
      }
    }
    Path tiers =
        Files.writeString(
            folder.resolve("split.yaml"),
            "tiers:\n"
                + "  - {name: nvme, match: {storage-ids: "
                + first
                + "}}\n"
                + "  - {name: sata, match: {storage-ids: "
                + second
                + "}}\n");
    assertThat(doctor("-D", "tierwise.tiers.file=" + tiers).unfolded())
        .containsPattern("(127.0.0.1:\\d+(, )?){3} have two tiers of one storage type")
        .contains("reads another tier table");
  }

  @Test
  @Order(5)
  void aMalformedSiteFileIsOneLineWithItsPlace() throws IOException {
    Path conf = Files.createDirectories(folder.resolve("malformed"));
    Files.writeString(
        conf.resolve("core-site.xml"), "<configuration>\n<property>\n</configuration>");
    CommandRun run = CommandRun.of("doctor", "--conf", conf.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains(conf.resolve("core-site.xml") + ": line 3, column");
  }

  @Test
  @Order(6)
  void aPlugInThatIsConfiguredButDoesNotRunIsAFailure() throws IOException {
    try (HdfsProcesses broken = new HdfsProcesses(folder.resolve("broken"))) {
      Map<String, String> keys = new LinkedHashMap<>(PLUGINS);
      keys.put("dfs.net.topology.impl", "io.tierwise.hadoop.hdfs.topology.TierwiseTopology");
      keys.put("tierwise.tiers.file", folder.resolve("absent.yaml").toString());
      keys.put("tierwise.namenode.volume.kept-free-bytes", "lots");
      broken.startNameNode(keys, TIERS);
      Path tiers = broken.conf(HdfsProcesses.NAME_NODE).resolve("tiers.yaml");
      CommandRun run = on(broken, "-D", "tierwise.tiers.file=" + tiers);
      assertThat(run.unfolded())
          .contains("the plug-in is configured but does not run")
          .containsPattern("FAILURE +namenode .*kept-free-bytes is \"lots\": must be a number")
          .contains("correct the key there and restart it")
          .doesNotContain("the plug-in runs");
      assertThat(run.exitCode()).isEqualTo(3);
    }
  }

  @Test
  @Order(7)
  void whatDoesNotAnswerIsNotOk() {
    hdfs.stop("same");
    CommandRun run = doctor();
    assertThat(run.unfolded())
        .containsPattern("not checked +datanode: 127.0.0.1:\\d+: connection refused")
        .contains("asked 2 of 3 nodes");
    assertThat(run.exitCode()).isEqualTo(3);
    hdfs.stop(HdfsProcesses.NAME_NODE);
    run = doctor();
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.unfolded())
        .containsPattern(
            "not checked +namenode 127.0.0.1:\\d+: its web server at .*: connection refused")
        .contains("3 not checked");
    assertThat(run.err()).isEmpty();
  }
}
