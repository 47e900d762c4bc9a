package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.Test;

class FailedVolumeChecksTest {
  private static final TierConfiguration BY_ID =
      TierConfiguration.parse(
          """
          tiers:
            - {name: nvme, match: {storage-type: SSD, storage-ids: ["DS-1*"]}}
            - {name: sata, match: {storage-type: SSD}}
            - {name: disk, match: {storage-type: DISK}}
          """,
          "tiers.yaml");

  private static String finding(String gaveUp) {
    DatanodeInfo node =
        new DatanodeInfoBuilder()
            .setHostName("host1")
            .setIpAddr("10.0.0.1")
            .setXferPort(9866)
            .setNetworkLocation("/r1")
            .build();
    FailedVolumeChecks.Node failed =
        new FailedVolumeChecks.Node(node, List.of(gaveUp), "[SSD]/ssd,[DISK]/disk");
    return new FailedVolumeChecks(
            new ClusterVolumes(BY_ID, List.of()), Map.of("host1:9866", failed))
        .findings()
        .get(0)
        .finding();
  }

  @Test
  void aFolderThatATierByIdMayHaveIsOfNoOtherTier() {
    assertThat(finding("[SSD]/ssd")).isEqualTo("host1:9866 gave up [SSD]/ssd");
    assertThat(finding("[DISK]/disk"))
        .isEqualTo("host1:9866 gave up [DISK]/disk: tier disk has no volume left");
  }
}
