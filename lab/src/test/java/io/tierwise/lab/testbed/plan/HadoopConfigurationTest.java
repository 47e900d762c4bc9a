package io.tierwise.lab.testbed.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.tiers.TierMatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopConfigurationTest {
  private final TestbedPlan plan = TestbedPlanTest.plan(3, 3);

  @Test
  void putsEachVolumeIntoExactlyTheTierOfItsDevice(@TempDir Path folder) throws IOException {
    HadoopConfiguration configuration = new HadoopConfiguration(plan, folder);
    configuration.write();
    for (NodePlan node : plan.dataNodes()) {
      Path file = configuration.of(node).resolve("tiers.yaml");
      TierConfiguration tiers = TierConfiguration.parse(Files.readString(file), "tiers.yaml");
      for (VolumePlan volume : node.volumes()) {
        TierMatch.Volume seen =
            new TierMatch.Volume(
                StorageType.valueOf(volume.kind().storageType()),
                node.networkLocation(),
                node.name(),
                node.address(),
                "DS-1");
        List<Integer> matching = tiers.matcher().tiersOf(seen);
        assertThat(matching).hasSize(1);
        assertThat(tiers.table().tier(matching.get(0)).name()).isEqualTo(volume.kind().tier());
      }
    }
  }

  /** Where an uplink may be a limit, reads by {@code auto} are to know it. */
  @Test
  void tellsOfUplinksThatAreOversubscribed(@TempDir Path folder) throws IOException {
    TestbedPlan narrow = new TestbedPlan("tw", 3, 3, 20, 1_000, 4, 2_000, true);
    TierConfiguration tiers = tiersAtGigabit(narrow, folder);
    assertThat(tiers.links().uplinkBytesPerSecond("/rack2")).isEqualTo(50e6 * 3 / 4 / 8);
    assertThat(tiersAtGigabit(plan, folder).links().isEmpty()).isTrue();
    String untold = new HadoopConfiguration(narrow, folder).tiersWithoutUplinksYaml();
    assertThat(TierConfiguration.parse(untold, "tiers.yaml").links().isEmpty()).isTrue();
  }

  private static TierConfiguration tiersAtGigabit(TestbedPlan plan, Path folder) {
    String yaml = new HadoopConfiguration(plan, folder).tiersYaml(50_000_000);
    return TierConfiguration.parse(yaml, "tiers.yaml");
  }

  @Test
  void writesSiteFilesThatHadoopReads(@TempDir Path folder) {
    HadoopConfiguration configuration = new HadoopConfiguration(plan, folder);
    configuration.write();
    NodePlan node = plan.dataNodes().get(0);
    Configuration site = new Configuration(false);
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      Path path = configuration.of(node).resolve(file);
      site.addResource(new org.apache.hadoop.fs.Path(path.toUri()));
    }
    assertThat(site.get("fs.defaultFS")).isEqualTo("hdfs://nn:8020");
    assertThat(site.get("dfs.datanode.hostname")).isEqualTo("r1n1");
    assertThat(site.getStrings("dfs.datanode.data.dir"))
        .hasSize(2)
        .satisfies(dirs -> assertThat(dirs[0]).startsWith("[SSD]").contains("r1n1-pcie-ssd"))
        .satisfies(dirs -> assertThat(dirs[1]).startsWith("[DISK]").contains("r1n1-disk"));
  }

  @Test
  void listsEachNodeInHostsAndRacksByNameAndAddress(@TempDir Path folder) throws IOException {
    HadoopConfiguration configuration = new HadoopConfiguration(plan, folder);
    configuration.write();
    assertThat(Files.readAllLines(configuration.hostsFile()))
        .hasSize(10)
        .contains("10.77.2.3 r2n3");
    assertThat(Files.readAllLines(folder.resolve("conf/racks.table")))
        .hasSize(18)
        .contains("r2n3 /rack2", "10.77.2.3 /rack2");
  }
}
