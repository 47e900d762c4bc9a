package io.tierwise.cli.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import io.tierwise.experiments.twin.Twin;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import io.tierwise.lab.embedded.EmbeddedCluster;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running HDFS, captured: the scenario is a twin of it, and runs. */
class CaptureIT {
  private static final EmbeddedPlan PLAN =
      new EmbeddedPlan(2, 3, 1, 0.5, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);

  @TempDir private static Path folder;
  private static EmbeddedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("dfs.block.replicator.classname", TierwisePlacementPolicy.class.getName());
    conf.set("dfs.namenode.plugins", TierwiseNameNodePlugin.class.getName());
    // A key of the NameNode, which a client need not have.
    conf.set("tierwise.namenode.regions", "/rack1=east,/rack2=west");
    cluster = EmbeddedCluster.start(PLAN, conf, folder.resolve("hdfs"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static CommandRun capture(String... more) {
    String[] arguments = new String[5 + more.length];
    arguments[0] = "capture";
    arguments[1] = "--fs";
    arguments[2] = cluster.uri().toString();
    arguments[3] = "-D";
    arguments[4] = "tierwise.tiers.file=" + folder.resolve("hdfs/tiers.yaml");
    System.arraycopy(more, 0, arguments, 5, more.length);
    return CommandRun.of(arguments);
  }

  /** The file at hand names other tiers: blocks are placed by the NameNode's. */
  @Test
  void theTiersAreTheNameNodesAndTheScenarioSaysSo() throws Exception {
    Path other = folder.resolve("other.yaml");
    Files.writeString(other, "tiers: [{name: tape, match: {storage-type: DISK}}]");
    CommandRun ran = capture("-D", "tierwise.tiers.file=" + other);
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("of the NameNode, which differs from the one here");
    assertThat(ScenarioFiles.parse(ran.out(), "captured.yaml").scenario().tiers())
        .extracting(TierSpec::name)
        .hasSize(3)
        .doesNotContain("tape");
  }

  @Test
  void theScenarioHasTheClustersRacksNodesTiersAndCapacities() throws Exception {
    CommandRun ran = capture("--node", "cores=16", "--node", "link=25 Gbps");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    Scenario scenario = ScenarioFiles.parse(ran.out(), "captured.yaml").scenario();
    assertThat(scenario.cluster().racks()).extracting(Rack::name).containsExactly("rack1", "rack2");
    assertThat(scenario.cluster().racks()).extracting(Rack::region).containsExactly("east", "west");
    for (Rack rack : scenario.cluster().racks()) {
      assertThat(rack.groups().stream().mapToInt(NodeGroup::count).sum()).isEqualTo(3);
      assertThat(rack.groups()).allMatch(group -> group.node().cores() == 16);
      assertThat(rack.groups()).allMatch(group -> group.node().linkBytesPerSecond() == 25e9 / 8);
    }
    assertThat(scenario.tiers())
        .extracting(TierSpec::name)
        .containsExactlyElementsOf(
            ScenarioTiers.table(scenario).tiers().stream().map(tier -> tier.name()).toList())
        .hasSize(3);
    assertThat(ScenarioTiers.table(scenario).tier(0).deviceClass().readBytesPerSecond())
        .as("half of hatS's PCIe SSD")
        .isEqualTo(533e6 / 2);
    long volumes =
        scenario.cluster().racks().stream()
            .flatMap(rack -> rack.groups().stream())
            .mapToLong(
                g -> (long) g.count() * g.node().volumes().stream().mapToInt(v -> v.count()).sum())
            .sum();
    assertThat(scenario.model().dropCaches()).as("runs begin with cold caches").isTrue();
    assertThat(volumes).as("a disk on each node, an SSD on two of a rack").isEqualTo(10);
    assertThat(ran.out()).contains("# HDFS does not tell processors");
    double capacity =
        scenario.cluster().racks().stream()
            .flatMap(rack -> rack.groups().stream())
            .mapToDouble(CaptureIT::capacityOf)
            .sum();
    try (FileSystem client = cluster.clientOn(cluster.nodes().get(0))) {
      assertThat(capacity / client.getStatus().getCapacity()).isBetween(0.99, 1.0);
    }
  }

  private static double capacityOf(NodeGroup group) {
    return (double) group.count()
        * group.node().volumes().stream().mapToDouble(v -> v.count() * v.capacityBytes()).sum();
  }

  @Test
  void capacitiesAreRoundedToThreeDigits() {
    assertThat(Twin.rounded(3_999_876_543_210L)).isEqualTo(3_990_000_000_000L);
    assertThat(Twin.rounded(999)).isEqualTo(999);
    assertThat(Twin.rounded(0)).isZero();
  }

  @Test
  void theCapturedScenarioRuns() {
    Path file = folder.resolve("captured.yaml");
    CommandRun captured = capture("-o", file.toString());
    assertThat(captured.exitCode()).as(captured.err()).isZero();
    assertThat(captured.err()).contains("run it with: tierwise simulate " + file);
    CommandRun ran =
        CommandRun.of(
            "simulate",
            file.toString(),
            "--set",
            "workload.dfsio.file=50 MB",
            "--policies",
            "stock,hybrid");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("stock", "hybrid", "makespan");
  }

  @Test
  void whatIsStoredIsToldByDirectoryAndPolicyAndCanBeMoved() throws Exception {
    try (FileSystem fs = FileSystem.newInstance(cluster.uri(), cluster.configuration())) {
      for (int i = 0; i < 4; i++) {
        var file = new org.apache.hadoop.fs.Path("/warehouse/day/part-" + i);
        try (FSDataOutputStream out = fs.create(file)) {
          out.write(new byte[i == 0 ? 0 : i * 100_000]);
        }
      }
      fs.setXAttr(
          new org.apache.hadoop.fs.Path("/warehouse/day"),
          "user.tierwise.placement",
          "tier-aware".getBytes(StandardCharsets.UTF_8));
      try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path("/warehouse/one"))) {
        out.write(new byte[5]);
      }
    }
    Path file = folder.resolve("stored.yaml");
    CommandRun captured = capture("--stored", "/warehouse", "-o", file.toString());
    assertThat(captured.exitCode()).as(captured.err()).isZero();
    assertThat(ScenarioFiles.parse(Files.readString(file), "stored").scenario().stored())
        .containsExactlyInAnyOrder(
            new StoredSpec("/warehouse/day", 3, 200_000, "tier-aware"),
            new StoredSpec("/warehouse", 1, 5, "network-aware"));
    CommandRun moved =
        CommandRun.of(
            "what-if",
            file.toString(),
            "--path",
            "/warehouse/day",
            "--to",
            "hybrid",
            "--at",
            "0 s");
    assertThat(moved.exitCode()).as(moved.err()).isLessThan(2);
    assertThat(capture("--stored", "/nowhere").exitCode()).isNotZero();
  }

  @Test
  void aMistakeIsOneLineAndNothingIsWritten() throws Exception {
    Path taken = Files.writeString(folder.resolve("taken.yaml"), "mine");
    CommandRun exists = capture("-o", taken.toString());
    assertThat(exists.exitCode()).isEqualTo(2);
    assertThat(exists.err()).contains("exists: name another file, or give --force");
    assertThat(taken).hasContent("mine");
    CommandRun node = capture("--node", "coers=3");
    assertThat(node.exitCode()).isEqualTo(2);
    assertThat(node.err()).contains("did you mean \"cores\"?");
    CommandRun unwritable = capture("-o", taken + "/below.yaml");
    assertThat(unwritable.exitCode()).isEqualTo(3);
    assertThat(List.of(exists.err(), node.err(), unwritable.err()))
        .allSatisfy(err -> assertThat(err.strip().lines()).hasSize(1));
  }
}
