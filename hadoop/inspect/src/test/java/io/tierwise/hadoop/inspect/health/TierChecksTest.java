package io.tierwise.hadoop.inspect.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.util.List;
import org.junit.jupiter.api.Test;

class TierChecksTest {
  private static final TierConfiguration TIERS =
      TierConfiguration.parse(
          """
          tiers:
            - {name: fast, match: {storage-type: SSD}}
            - {name: slow, match: {storage-type: DISK}}
          """,
          "tiers.yaml");

  private static ClusterVolumes.Volume volume(
      int tier, String adminState, boolean failed, long remainingBytes) {
    String type = tier == 0 ? "SSD" : "DISK";
    return new ClusterVolumes.Volume(
        "n",
        "10.0.0.1:9866",
        "/r",
        adminState,
        "DS-1",
        type,
        failed,
        100,
        0,
        remainingBytes,
        List.of(tier));
  }

  private static List<String> findings(ClusterVolumes.Volume... volumes) {
    Findings findings = new Findings();
    new TierChecks(TIERS, findings).volumes(new ClusterVolumes(TIERS, List.of(volumes)));
    return findings.all().stream().map(Finding::finding).toList();
  }

  @Test
  void aTierWhoseNodesAllLeaveOrWhoseDevicesFailedIsNamed() {
    assertThat(
            findings(
                volume(0, "Decommissioned", false, 90),
                volume(0, "Decommission In Progress", false, 90),
                volume(0, "In Service", true, 90),
                volume(1, "In Service", false, 90)))
        .contains("tier fast has no volume in service")
        .doesNotContain("tier slow has no volume in service");
  }

  @Test
  void theRoomOfVolumesThatTakeNothingHidesNoFullTier() {
    assertThat(
            findings(
                volume(0, "Decommissioned", false, 90),
                volume(0, "In Service", true, 90),
                volume(0, "In Service", false, 5),
                volume(1, "In Service", false, 90)))
        .contains("tier fast is 95% full")
        .doesNotContain("tier fast has no volume in service");
  }

  @Test
  void aTierOfDeadNodesAloneIsSaidToMatchNoLiveVolume() {
    assertThat(findings(volume(1, "In Service", false, 90)))
        .contains("tier fast matches no volume of a live node");
  }
}
