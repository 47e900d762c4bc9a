package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log of a NameNode with the plug-in becomes the share of a directory's zone. */
class ShareIT {
  private static final String FIFTH = "zone-ratio:ssd=0.2,disk=0.8,scope=directory";
  private static final String ALL = "zone-ratio:ssd=1,disk=0,scope=directory";

  @TempDir static Path folder;
  private static AuditedHdfs hdfs;
  private static Path tiers;

  @BeforeAll
  static void start() throws IOException {
    tiers = Files.writeString(folder.resolve("tiers.yaml"), AuditedHdfs.MEASURED_TIERS);
    Configuration conf = new HdfsConfiguration();
    conf.set("tierwise.tiers.file", tiers.toString());
    conf.set(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, TierwisePlacementPolicy.class.getName());
    conf.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, TierwiseNameNodePlugin.class.getName());
    hdfs = new AuditedHdfs(folder, conf);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static String policy(String directory) throws IOException {
    return new String(
        hdfs.fs().getXAttr(AuditedHdfs.hadoop(directory), PathPolicy.PLACEMENT_ATTRIBUTE),
        StandardCharsets.UTF_8);
  }

  private static CommandRun autotier(String command, String directory, String... more)
      throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                command,
                "--below",
                directory,
                "--share",
                directory,
                "-D",
                "tierwise.tiers.file=" + tiers));
    words.addAll(List.of(more));
    return hdfs.autotier(words.toArray(String[]::new));
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private static int filesOnSsd(String directory, String name, int files) throws IOException {
    int fast = 0;
    for (int i = 0; i < files; i++) {
      String path = directory + "/" + name + i;
      hdfs.write(path, 3);
      JsonNode where = json(hdfs.run("file", "where", path, "--json"));
      for (JsonNode tier : where.path("tiers")) {
        boolean all = tier.path("replicas").asInt() == 3;
        fast += all && tier.path("tier").asText().equals("ssd") ? 1 : 0;
      }
    }
    return fast;
  }

  @Test
  void aReadDirectorysNewFilesGoToTheFastZoneUntilAnUndo() throws Exception {
    hdfs.fs().mkdirs(AuditedHdfs.hadoop("/data"));
    // As by a tool that writes down no time: nobody knows since when.
    hdfs.fs()
        .setXAttr(
            AuditedHdfs.hadoop("/data"),
            PathPolicy.PLACEMENT_ATTRIBUTE,
            FIFTH.getBytes(StandardCharsets.UTF_8));
    assertThat(filesOnSsd("/data", "before", 5)).isOne();
    hdfs.read("/data/before0", 3);

    CommandRun plan = autotier("plan", "/data");
    assertThat(plan.exitCode()).as(plan.err()).isZero();
    assertThat(plan.unfolded())
        .contains("share of /data: " + FIFTH + " -> " + ALL + ": accesses take the least time")
        .contains("293.0 KiB read and 488.3 KiB written");
    assertThat(policy("/data")).as("a plan changes nothing").isEqualTo(FIFTH);

    JsonNode round = json(autotier("run", "/data", "--rounds", "1", "--json"));
    assertThat(round.path("shares").get(0).path("after").asText()).isEqualTo(ALL);
    assertThat(policy("/data")).isEqualTo(ALL);
    assertThat(filesOnSsd("/data", "after", 5)).isEqualTo(5);
    assertThat(hdfs.run("autotier", "status").unfolded()).contains("share of /data: ");

    String id = round.path("ids").get(0).asText();
    assertThat(hdfs.run("journal", id).unfolded()).contains(FIFTH).contains(ALL);
    assertThat(hdfs.run("undo", id).exitCode()).isZero();
    assertThat(policy("/data")).isEqualTo(FIFTH);
    assertThat(autotier("plan", "/data").unfolded())
        .as("what was taken back is held")
        .contains("share of /data stays at " + FIFTH + ": it was set less than");
    assertThat(json(autotier("run", "/data", "--rounds", "1", "--json")).path("ids")).isEmpty();
  }

  @Test
  void aDirectoryWithoutAShareIsRefusedInOneLine() throws Exception {
    hdfs.fs().mkdirs(AuditedHdfs.hadoop("/plain"));
    hdfs.write("/plain/file", 3);
    hdfs.read("/plain/file", 1);

    CommandRun run = autotier("run", "/plain", "--rounds", "1");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .hasLineCount(1)
        .contains("--share /plain: no zone-ratio policy stands on it (none does)")
        .contains("tierwise policy set /plain --placement zone-ratio:0.5,scope=directory");
    hdfs.run(
        "policy",
        "set",
        "/plain",
        "--placement",
        "zone-ratio:0.5",
        "-D",
        "tierwise.tiers.file=" + tiers);
    assertThat(autotier("plan", "/plain").err()).hasLineCount(1).contains("write scope=directory");
  }
}
