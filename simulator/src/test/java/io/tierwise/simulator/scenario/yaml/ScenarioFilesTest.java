package io.tierwise.simulator.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScenarioFilesTest {
  private static final String WORKLOAD = "workload: {dfsio: {tasks: 2, file: 10 MB}}\n";

  static List<String> named() {
    return ScenarioFiles.named();
  }

  private static Scenario parse(String yaml) {
    return ScenarioFiles.parse(yaml, "s.yaml").scenario();
  }

  @ParameterizedTest
  @MethodSource("named")
  void everyNamedClusterIsAScenarioOnceItHasAWorkload(String name) {
    Scenario scenario = parse("based-on: " + name + "\n" + WORKLOAD);
    assertThat(scenario.name()).isEqualTo("s");
    assertThat(scenario.tiers()).isNotEmpty();
  }

  @Test
  void theHatsTestbedHasTheDevicesOfItsTable() {
    Scenario scenario = parse("based-on: hats-testbed\n" + WORKLOAD);
    assertThat(scenario.cluster().racks()).hasSize(3);
    long nodes =
        scenario.cluster().racks().stream()
            .flatMap(rack -> rack.groups().stream())
            .mapToLong(NodeGroup::count)
            .sum();
    assertThat(nodes).isEqualTo(27);
    assertThat(scenario.tiers())
        .extracting(TierSpec::name)
        .containsExactly("pcie-ssd", "sata-ssd", "hdd");
    assertThat(ScenarioTiers.table(scenario).tier(0).deviceClass().readBytesPerSecond())
        .isEqualTo(533e6);
    assertThat(scenario.policies().blockBytes()).isEqualTo(64L << 20);
    NodeSpec node = scenario.cluster().racks().get(0).groups().get(1).node();
    assertThat(node.mapSlots()).isEqualTo(6);
    assertThat(node.volumes()).hasSize(2);
    assertThat(node.linkBytesPerSecond()).as("8 of the 10 Gbps are data").isEqualTo(1e9);
  }

  @Test
  void whatAFileSaysIsLaidOverWhatItIsBasedOn(@TempDir Path folder) throws Exception {
    Files.writeString(
        folder.resolve("base.yaml"),
        "based-on: hats-testbed\nseed: 7\npolicies: {placement: hybrid, access: dld}\n" + WORKLOAD);
    Files.writeString(
        folder.resolve("mine.yaml"),
        """
        based_on: base.yaml
        policies: {access: greedy}
        nodes: {hats-disk: {link: 1 Gbps}}
        workload: {trace: {format: swim, file: t.tsv, jobs: 10}}
        """);
    Scenario scenario = ScenarioFiles.load(folder.resolve("mine.yaml").toString()).scenario();
    assertThat(scenario.name()).isEqualTo("mine");
    assertThat(scenario.seed()).isEqualTo(7);
    assertThat(scenario.policies().placement()).isEqualTo("hybrid");
    assertThat(scenario.policies().access()).isEqualTo("greedy");
    assertThat(scenario.policies().blockBytes()).isEqualTo(64L << 20);
    assertThat(scenario.cluster().racks().get(0).groups().get(0).node().linkBytesPerSecond())
        .as("kinds based on it follow")
        .isEqualTo(125e6);
    assertThat(scenario.workload())
        .isEqualTo(new WorkloadSpec.Trace("swim", folder.resolve("t.tsv"), 10, 1, 1, false));
  }

  /** Four lanes; of ten bits eight are data, from FDR on 64 of 66. */
  @ParameterizedTest
  @CsvSource({
    "infiniband-sdr, 2.5, 8, 10",
    "infiniband-ddr, 5, 8, 10",
    "infiniband-qdr, 10, 8, 10",
    "infiniband-fdr, 14.0625, 64, 66",
    "infiniband-edr, 25.78125, 64, 66"
  })
  void infiniBandCarriesWhatItsLineCodeLeaves(String word, double lane, int data, int sent) {
    assertThat(nodeWith("link: " + word).linkBytesPerSecond())
        .isCloseTo(4 * lane * 1e9 * data / sent / 8, within(1.0));
  }

  /** Of a page cache of 10 GB: mm/page-writeback.c of each version. */
  @ParameterizedTest
  @CsvSource({
    "linux-2.6.0, 4000, 1000",
    "linux-2.6.21, 4000, 1000",
    "linux-2.6.22, 1000, 500",
    "linux-2.6.29, 1000, 500",
    "linux-2.6.30, 2000, 1000",
    "linux-2.6.32, 2000, 1000",
    "linux-3.10, 2000, 1000",
    "linux-6.12.4, 2000, 1000",
    "3 GB, 3000, 1500"
  })
  void aKernelLetsAsMuchBeDirtyAsByItsDefaults(String buffer, long writers, long devices) {
    NodeSpec node = nodeWith("page-cache: 10 GB, write-buffer: " + buffer);

    assertThat(node.writeBufferBytes()).isEqualTo(writers * 1_000_000);
    assertThat(node.writeBackgroundBytes()).isEqualTo(devices * 1_000_000);
    assertThat(nodeWith("write-buffer: 3 GB, write-background: 1 MB").writeBackgroundBytes())
        .isEqualTo(1_000_000);
  }

  private static NodeSpec nodeWith(String keys) {
    String yaml =
        "nodes: {disk-node: {%s}}\ncluster: {racks: [{nodes: [{kind: disk-node, count: 3}]}]}\n";
    return parse(yaml.formatted(keys) + WORKLOAD).cluster().racks().get(0).groups().get(0).node();
  }

  @Test
  void settingsAreLaidOverTheFile() {
    ScenarioFiles files = ScenarioFiles.parse("based-on: hats-testbed\n" + WORKLOAD, "s.yaml");
    Scenario scenario =
        files
            .with("cluster.racks[0].count=1", "--set")
            .with("cluster.racks.0.nodes[1].count=4", "--set")
            .with("policies.placement=layout:1 x pcie-ssd + 2 x hdd", "--set")
            .with("model.slow_start=50%", "--set")
            .with("workload.applications={jobs: [lsn/grep]}", "--set")
            .with("workload.applications.arrival={clients: 2, think: 1 min}", "--set")
            .scenario();
    assertThat(scenario.cluster().racks()).hasSize(1);
    assertThat(scenario.cluster().racks().get(0).groups().get(1).count()).isEqualTo(4);
    assertThat(scenario.policies().placement()).isEqualTo("layout:1 x pcie-ssd + 2 x hdd");
    assertThat(scenario.model().slowStartShare()).isEqualTo(0.5);
    assertThat(((WorkloadSpec.Applications) scenario.workload()).arrival())
        .isEqualTo(new Arrival.ClosedLoop(2, 60));
  }

  @Test
  void stockIsWhatHdfsItselfDoes() {
    Scenario scenario = parse("based-on: osu-b\npolicies: {placement: stock}\n" + WORKLOAD);
    assertThat(scenario.policies().placement()).isEqualTo("network-aware");
    assertThat(scenario.policies().access()).isEqualTo("network-aware");
    assertThat(scenario.policies().scheduler()).isEqualTo("fifo");
  }

  @Test
  void tiersThatNobodyNamesAreTheDevicesWithDataFastestFirst() {
    Scenario scenario =
        parse("cluster: {racks: [{nodes: [disk-node, ssd-node, nvme-node]}]}\n" + WORKLOAD);
    assertThat(scenario.tiers())
        .extracting(TierSpec::name)
        .containsExactly("nvme-p3700", "sata-ssd", "hdd-es3", "hdd");
    assertThat(scenario.cluster().racks().get(0).name()).isEqualTo("rack-1");
  }

  @Test
  void curvesAreSortedAndFaultsKnowWhatBreaks() {
    Scenario scenario =
        parse(
            """
            devices: {hdd: {curve: {8: 60%, 1: 1}}}
            cluster: {racks: [{name: r, count: 2, nodes: [{kind: ssd-node, count: 3}]}]}
            policies: {replication: 2}
            faults:
              - {at: 1 min, device: node-5/1, slow: 50%, until: 2 min}
              - {at: 0, link: r-2}
            """
                + WORKLOAD);
    assertThat(
            scenario
                .cluster()
                .racks()
                .get(0)
                .groups()
                .get(0)
                .node()
                .volumes()
                .get(0)
                .device()
                .curve())
        .containsExactly(new CurvePoint(1, 1), new CurvePoint(8, 0.6));
    assertThat(scenario.faults())
        .containsExactly(
            new FaultSpec(60, FaultSpec.Target.DEVICE, "node-5/1", FaultSpec.Kind.SLOW, 0.5, 120),
            new FaultSpec(
                0, FaultSpec.Target.LINK, "r-2", FaultSpec.Kind.FAIL, 0, Double.POSITIVE_INFINITY));
  }

  @Test
  void anAliasStandsForWhatItNames() {
    Scenario scenario =
        parse(
            """
            cluster:
              racks:
                - &r {name: a, count: 2, nodes: [disk-node, disk-node]}
            policies: &p {replication: 2}
            """
                + WORKLOAD);
    assertThat(scenario.policies().replication()).isEqualTo(2);
  }

  @Test
  void publishedFiguresStandUnderWhatIsGivenAndOverWhatItIsBasedOn() {
    String yaml =
        """
        devices:
          mine: {based-on: hdd, published: Intel DC P4500 4TB, write: 1 GB/s}
        nodes:
          big: {published: Lenovo Think System SR645, busy: 500 W, volumes: [mine]}
        cluster: {racks: [{nodes: [{kind: big, count: 3}]}]}
        """;
    NodeSpec node = parse(yaml + WORKLOAD).cluster().racks().get(0).groups().get(0).node();

    assertThat(node.cores()).isEqualTo(128);
    assertThat(node.mapSlots()).isEqualTo(128);
    assertThat(node.wattsIdle()).isEqualTo(84);
    assertThat(node.wattsBusy()).isEqualTo(500);
    assertThat(node.volumes().get(0).device().readBytesPerSecond()).isEqualTo(3.2e9);
    assertThat(node.volumes().get(0).device().writeBytesPerSecond()).isEqualTo(1e9);
    assertThat(node.volumes().get(0).device().wattsIdle())
        .as("no idle power of it is published: the disk's stays")
        .isEqualTo(5);
  }
}
