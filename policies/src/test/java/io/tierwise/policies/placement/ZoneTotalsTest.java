package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Ratio;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Zones from the volumes of their tiers. */
class ZoneTotalsTest {
  private static final TierTable TIERS =
      TierTable.of(List.of(device("nvme", 1000), device("sata", 400), device("disk", 100)));

  private static DeviceClass device(String name, double megabytes) {
    return new DeviceClass(name, megabytes * 1e6, megabytes * 5e5, Double.NaN, 0, Double.NaN);
  }

  private static ZoneRatioPlacement policy(String text) {
    return (ZoneRatioPlacement) PlacementPolicies.parse(text, TIERS);
  }

  @Test
  void aZoneOfTwoTiersHasTheMeanSpeedOfItsVolumes() {
    ZoneTotals totals =
        new ZoneTotals(policy("zone-ratio:nvme+sata=0.3,disk=0.7,scope=directory"), TIERS);
    totals.volume(0, 10);
    totals.volume(1, 5);
    totals.volume(1, -7);
    totals.volume(2, 100);
    totals.volume(TierTable.NONE, 1_000);
    totals.replica(1, 3);
    totals.replica(2, 4);
    totals.replica(TierTable.NONE, 9);

    assertThat(totals.zone(0)).isEqualTo(new ShareByUse.Zone("nvme+sata", 3, 600e6, 300e6, 15, 3));
    assertThat(totals.zone(1)).isEqualTo(new ShareByUse.Zone("disk", 1, 100e6, 50e6, 100, 4));
  }

  @Test
  void aZoneWithoutVolumesHasNoSpeed() {
    ZoneTotals totals = new ZoneTotals(policy("zone-ratio:0.5,scope=directory"), TIERS);
    assertThat(totals.zone(0).devices()).isZero();
    assertThat(totals.zone(0).readBytesPerSecond()).isNaN();
  }

  @Test
  void thePolicyKeepsItsZonesAndItsScopeUnderAnotherShare() {
    ZoneRatioPlacement other =
        policy("zone-ratio:disk=0.7,nvme=0.3,scope=directory")
            .withFirstShare(Ratio.parse("0.25"), TIERS);

    assertThat(other.name()).isEqualTo("zone-ratio:disk=0.25,nvme=0.75,scope=directory");
    assertThat(policy(other.name()).firstShare()).isEqualTo(Ratio.parse("0.25"));
    assertThat(other.zoneOfBlock(0)).isZero();
    assertThat(other.zoneOfBlock(1)).isOne();
  }

  @Test
  void policiesWithoutAShareToChooseAreRefused() {
    assertThatThrownBy(
            () ->
                new ZoneTotals(
                    policy("zone-ratio:nvme=0.2,sata=0.3,disk=0.5,scope=directory"), TIERS))
        .hasMessageContaining("has 3 zones: a share is chosen between two");
    assertThatThrownBy(() -> new ZoneTotals(policy("zone-ratio:0.3"), TIERS))
        .hasMessageContaining("write scope=directory");
  }
}
