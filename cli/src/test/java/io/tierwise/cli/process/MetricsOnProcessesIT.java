package io.tierwise.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of real daemons, over JMX and to Prometheus. */
class MetricsOnProcessesIT {
  private static final int SCRAPES_MAX = 100;
  private static final String TIERS =
      """
      tiers:
        - {name: fast, match: {storage-type: SSD}}
        - {name: slow, match: {storage-type: DISK}}
        - {name: tape, match: {storage-type: ARCHIVE}}
      """;

  private static final Pattern NAME =
      Pattern.compile("tierwise_(placement|monitor|topology|reads)_[a-z_]+");

  @TempDir static Path folder;
  private static HdfsProcesses hdfs;

  @BeforeAll
  static void start() throws IOException {
    hdfs = new HdfsProcesses(folder);
    String namenode = "io.tierwise.hadoop.hdfs.namenode.";
    hdfs.startNameNode(
        Map.of(
            "dfs.block.replicator.classname",
            namenode + "TierwisePlacementPolicy",
            "dfs.namenode.plugins",
            namenode + "TierwiseNameNodePlugin",
            "dfs.net.topology.impl",
            "io.tierwise.hadoop.hdfs.topology.TierwiseTopology",
            "tierwise.namenode.access.strategy",
            "greedy"),
        TIERS);
    hdfs.startDataNode(
        "datanode",
        Map.of(
            "dfs.datanode.fsdataset.factory",
            "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TierwiseDatasetFactory",
            "tierwise.datanode.readers.per-node.max",
            "8"),
        TIERS);
    writeAndRead("/managed", "tier-aware");
    writeAndRead("/off-its-tier", "layout:1 x tape");
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static void writeAndRead(String path, String placement) throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("dfs.replication", 1);
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), conf)) {
      fs.mkdirs(new org.apache.hadoop.fs.Path(path));
      fs.setXAttr(
          new org.apache.hadoop.fs.Path(path),
          "user.tierwise.placement",
          placement.getBytes(StandardCharsets.UTF_8));
      try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path, "file"))) {
        out.write(new byte[1000]);
      }
      try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(path, "file"))) {
        assertThat(in.readAllBytes()).hasSize(1000);
      }
    }
  }

  private static JsonNode bean(String process, String name) throws IOException {
    JsonNode beans = new ObjectMapper().readTree(hdfs.get(process, "/jmx?qry=" + name));
    assertThat(beans.path("beans")).as(name).hasSize(1);
    return beans.path("beans").path(0);
  }

  @Test
  void theDocumentedBeansAreThereAndNothingIsWarnedOf() throws IOException {
    JsonNode placement =
        bean(HdfsProcesses.NAME_NODE, "Hadoop:service=NameNode,name=TierwisePlacement");
    assertThat(placement.path("Tiers").asText()).isEqualTo("fast, slow, tape");
    assertThat(placement.path("TierTableSource").asText()).endsWith("conf/namenode/tiers.yaml");
    JsonNode reads = bean("datanode", "Hadoop:service=DataNode,name=TierwiseReads");
    assertThat(reads.path("Limiting").asBoolean()).isTrue();
    assertThat(reads.path("TierTableDigest").asText())
        .matches("[0-9a-f]{16}")
        .isEqualTo(placement.path("TierTableDigest").asText())
        .isEqualTo(
            bean(HdfsProcesses.NAME_NODE, "Hadoop:service=NameNode,name=TierwiseTopology")
                .path("TierTableDigest")
                .asText());
    for (String process : List.of(HdfsProcesses.NAME_NODE, "datanode")) {
      assertThat(hdfs.logOf(process))
          .as(process)
          .doesNotContain("already exists", "MBean", "MetricsException");
    }
  }

  @Test
  void noKeyOfABeanDependsOnAnOrder() throws IOException {
    for (String process : List.of(HdfsProcesses.NAME_NODE, "datanode")) {
      JsonNode beans =
          new ObjectMapper().readTree(hdfs.get(process, "/jmx?qry=Hadoop:name=Tierwise*,*"));
      assertThat(beans.path("beans")).isNotEmpty();
      for (JsonNode bean : beans.path("beans")) {
        bean.fieldNames().forEachRemaining(key -> assertThat(key).matches("[A-Za-z]+"));
      }
    }
  }

  @Test
  void prometheusReadsCountersWithLabels() throws IOException {
    assertThat(scrape(HdfsProcesses.NAME_NODE))
        .anyMatch(
            l -> l.matches("tierwise_placement_decisions_total\\{.*policy=\"tier-aware\".*} 1"))
        .anyMatch(
            l -> l.matches("tierwise_placement_remaining_bytes\\{.*tier=\"fast\".*} [1-9].*"));
    assertThat(scrape(HdfsProcesses.NAME_NODE))
        .anyMatch(
            l -> l.matches("tierwise_placement_fallbacks_total\\{.*tier=\"tape\".*} [1-9].*"));
    assertThat(scrape("datanode"))
        .anyMatch(l -> l.matches("tierwise_reads_volume_readers\\{.*tier=\"fast\".*} 0"));
    assertThat(scrape(HdfsProcesses.NAME_NODE)).noneMatch(l -> l.contains("/managed"));
  }

  @Test
  void documentAlertsAndDashboardNameWhatIsShown() throws IOException {
    Set<String> shown = new TreeSet<>();
    for (String process : List.of(HdfsProcesses.NAME_NODE, "datanode")) {
      scrape(process).forEach(line -> shown.add(line.substring(0, line.indexOf('{'))));
    }
    Set<String> documented = namesIn(file("docs/reference/metrics.md"));
    // These are a command's.
    documented.removeIf(name -> name.startsWith("tierwise_autotier_"));
    assertThat(documented).isEqualTo(shown);
    assertThat(shown).containsAll(namesIn(file("packaging/prometheus/alerts.yaml")));
    assertThat(namesIn(file("packaging/prometheus/alerts.yaml"))).hasSizeGreaterThan(5);
    JsonNode dashboard = new ObjectMapper().readTree(file("packaging/grafana/tierwise.json"));
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(panel.path("targets")).as(panel.path("title").asText()).isNotEmpty();
      for (JsonNode target : panel.path("targets")) {
        Set<String> names = namesIn(target.path("expr").asText());
        assertThat(names).as(panel.path("title").asText()).isNotEmpty();
        assertThat(shown).containsAll(names);
      }
    }
  }

  @Test
  void promtoolAcceptsTheAlerts() throws IOException, InterruptedException {
    Process promtool;
    try {
      promtool =
          new ProcessBuilder("promtool", "check", "rules", path("packaging/prometheus/alerts.yaml"))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      Assumptions.abort("no promtool here (Debian package prometheus): " + e.getMessage());
      return;
    }
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(said).isZero();
  }

  /**
   * The metrics as shown. Hadoop's endpoint shows nothing for a moment when its own timer publishes
   * during a request: then this asks again.
   */
  private static List<String> scrape(String process) throws IOException {
    List<String> lines = List.of();
    for (int i = 0; i < SCRAPES_MAX && lines.isEmpty(); i++) {
      lines = hdfs.get(process, "/prom").lines().filter(l -> l.startsWith("tierwise_")).toList();
    }
    return lines;
  }

  private static String path(String fromRoot) {
    return Path.of(System.getProperty("tierwise.root"), fromRoot).toString();
  }

  private static String file(String fromRoot) throws IOException {
    return Files.readString(Path.of(path(fromRoot)));
  }

  private static Set<String> namesIn(String text) {
    return NAME.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
