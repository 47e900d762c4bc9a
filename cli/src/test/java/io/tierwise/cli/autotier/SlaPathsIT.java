package io.tierwise.cli.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.hadoop.hdfs.secondary.Placeholder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files under an SLA on a stock HDFS whose only SSD has room for one file. */
class SlaPathsIT {
  private static final StorageType[] DISK = {StorageType.DISK};
  private static final StorageType[] SSD = {StorageType.SSD};
  private static final long[] PLENTY = {1L << 40};
  private static final int BLOCK_BYTES = 102_400;

  @TempDir private Path folder;

  private AuditedHdfs start() throws Exception {
    // HDFS wants room for a whole block before it copies one.
    Configuration conf = new HdfsConfiguration();
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, BLOCK_BYTES);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    long[][] capacities = {PLENTY, PLENTY, PLENTY, PLENTY, {AuditedHdfs.BYTES * 19 / 10}};
    AuditedHdfs hdfs = new AuditedHdfs(folder, conf, capacities, DISK, DISK, DISK, DISK, SSD);
    hdfs.write("/data/hot", 3);
    hdfs.read("/data/hot", 3);
    hdfs.write("/data/once", 3);
    hdfs.read("/data/once", 1);
    hdfs.write("/data/report", 3);
    hdfs.report();
    return hdfs;
  }

  private JsonNode autotier(AuditedHdfs hdfs, String command, String... rules) throws IOException {
    CommandRun run = hdfs.autotier(words(command, rules).toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private List<String> words(String command, String... rules) throws IOException {
    Path tiers = Files.writeString(folder.resolve("tiers.yaml"), AuditedHdfs.MEASURED_TIERS);
    Path store = Files.createDirectories(folder.resolve("nas"));
    List<String> words =
        new ArrayList<>(
            List.of(command, "--below", "/data", "--fast-tier", "ssd", "--hold", "1", "--json"));
    words.add("--on-average");
    words.addAll(List.of("-D", "tierwise.tiers.file=" + tiers));
    // By default a gibibyte of each volume, which this SSD does not have.
    words.addAll(List.of("-D", "tierwise.namenode.volume.kept-free-bytes=0"));
    words.addAll(List.of("-D", "tierwise.secondary.stores=file://" + store));
    if (command.equals("run")) {
      words.addAll(List.of("--rounds", "1"));
    }
    if (rules.length > 0) {
      Path file = Files.write(folder.resolve("rules.txt"), List.of(rules));
      words.addAll(List.of("--rules", file.toString()));
    }
    return words;
  }

  private static boolean isOnSsd(AuditedHdfs hdfs, String path) throws IOException {
    return List.of(hdfs.fs().getClient().getLocatedBlocks(path, 0).get(0).getStorageTypes())
        .contains(StorageType.SSD);
  }

  /** Another round goes on where HDFS had not yet given the room free. */
  private void awaitOnSsd(AuditedHdfs hdfs, String path, String... rules) throws IOException {
    for (int round = 0; round < 10 && !isOnSsd(hdfs, path); round++) {
      hdfs.autotier(words("run", rules).toArray(String[]::new));
    }
    assertThat(isOnSsd(hdfs, path)).isTrue();
  }

  @Test
  void aFileThatNobodyReadsTakesTheFastTierFromAHotterOneAndNeverGoesToTheSecondaryStore()
      throws Exception {
    try (AuditedHdfs hdfs = start()) {
      assertThat(autotier(hdfs, "run").path("moved_replicas").asInt()).isOne();
      assertThat(isOnSsd(hdfs, "/data/hot")).isTrue();
      String[] rules = {
        "path matches /data/report -> sla", "path matches /data/report -> secondary"
      };

      JsonNode plan = autotier(hdfs, "plan", rules);

      assertThat(plan.path("offloads")).isEmpty();
      // The volume is full until the other file has left: a later round brings this one.
      assertThat(plan.path("moves")).hasSize(1);
      assertThat(plan.path("moves").get(0).path("paths").get(0).asText()).isEqualTo("/data/hot");
      assertThat(plan.path("moves").get(0).path("by").asText())
          .isEqualTo("room for files under an SLA");
      assertThat(plan.path("rules").get(0).path("fired").asInt()).isOne();

      awaitOnSsd(hdfs, "/data/report", rules);
      assertThat(isOnSsd(hdfs, "/data/hot")).isFalse();
      assertThat(hdfs.replicas("/data/report")).isEqualTo(3);

      JsonNode later = autotier(hdfs, "plan", rules);
      assertThat(later.path("moves")).as("%s", later).isEmpty();
      assertThat(later.path("rules").get(0).path("as_wanted").asInt()).isOne();
      assertThat(Placeholder.is(hdfs.fs().getClient().getFileInfo("/data/report"))).isFalse();
      DFSTestUtil.readFile(hdfs.fs(), AuditedHdfs.hadoop("/data/report"));

      assertThat(autotier(hdfs, "plan", rules[1]).path("offloads"))
          .as("without the first rule it would go")
          .hasSize(1);
    }
  }

  @Test
  void aScheduledFileComesFirstAroundItsTimeAlone() throws Exception {
    try (AuditedHdfs hdfs = start()) {
      // A change is held for one window, which here is a day: all day long is around that time.
      String time =
          LocalTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("HH:mm"));
      JsonNode plan = autotier(hdfs, "plan", "path matches /data/report -> sla by " + time);
      assertThat(plan.path("moves")).hasSize(1);
      assertThat(plan.path("moves").get(0).path("paths").get(0).asText()).isEqualTo("/data/report");

      String later =
          LocalTime.now(ZoneId.systemDefault())
              .plusHours(12)
              .format(DateTimeFormatter.ofPattern("HH:mm"));
      List<String> words =
          hdfs.words(
              "1 h",
              words("plan", "path matches /data/report -> sla by " + later).toArray(String[]::new));
      CommandRun run = CommandRun.of(words.toArray(String[]::new));
      assertThat(run.exitCode()).as(run.err()).isZero();
      JsonNode outcome = new ObjectMapper().readTree(run.out()).path("rules").get(0);
      assertThat(outcome.path("fired").asInt()).isZero();
      assertThat(outcome.path("left").get(0).path("reason").asText())
          .isEqualTo("it comes first from 60 min before " + later + " to 60 min after it");
    }
  }

  @Test
  void aTimeWithoutAFastTierIsRefusedBeforeAnythingRuns() throws Exception {
    try (AuditedHdfs hdfs = start()) {
      Path rules =
          Files.writeString(folder.resolve("rules.txt"), "path matches /data/** -> sla by 14:00");
      CommandRun run =
          hdfs.autotier("run", "--below", "/data", "--rules", rules.toString(), "--rounds", "1");
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err())
          .hasLineCount(1)
          .contains("rules.txt:1: sla by 14:00 needs a tier")
          .contains("--fast-tier");
    }
  }
}
