package io.tierwise.lab.testbed.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestbedPlanTest {
  static TestbedPlan plan(int racks, int nodesPerRack) {
    return new TestbedPlan("tw", racks, nodesPerRack, 20, 10_000, 1, 2_000, true);
  }

  private static long volumes(TestbedPlan plan, DeviceKind kind) {
    return plan.dataNodes().stream()
        .flatMap(node -> node.volumes().stream())
        .filter(volume -> volume.kind() == kind)
        .count();
  }

  @ParameterizedTest
  @CsvSource({"3, 9, 3, 9, 27", "3, 3, 3, 3, 9", "3, 1, 3, 0, 3", "1, 2, 1, 1, 2"})
  void hasTheDevicesOfTheHatsClusterInEachRack(
      int racks, int nodesPerRack, long pcieSsds, long sataSsds, long disks) {
    TestbedPlan plan = plan(racks, nodesPerRack);
    assertThat(volumes(plan, DeviceKind.PCIE_SSD)).isEqualTo(pcieSsds);
    assertThat(volumes(plan, DeviceKind.SATA_SSD)).isEqualTo(sataSsds);
    assertThat(volumes(plan, DeviceKind.DISK)).isEqualTo(disks);
    assertThat(plan.dataNodes())
        .allSatisfy(node -> assertThat(node.volumes()).hasSizeBetween(1, 2));
  }

  @Test
  void givesEachNodeAnAddressAndAnInterfaceNameOfItsOwn() {
    TestbedPlan plan = plan(20, 50);
    Set<String> addresses = new HashSet<>();
    plan.nodes().forEach(node -> addresses.add(node.address()));
    assertThat(addresses).hasSize(20 * 50 + 1);
    assertThat(plan.nodes()).allSatisfy(node -> assertThat(node.name()).hasSizeLessThan(16));
  }

  @Test
  void scalesDevicesAndLinksByTheSameFactor() {
    TestbedPlan plan = plan(3, 3);
    assertThat(plan.linkBitsPerSecond()).isEqualTo(500_000_000);
    assertThat(plan.scaledLinkBitsPerSecond(1_000)).isEqualTo(50_000_000);
    assertThat(DeviceKind.PCIE_SSD.readBytesPerSecond(20)).isEqualTo(26_650_000);
    assertThat(DeviceKind.DISK.writeBytesPerSecond(20)).isEqualTo(2_300_000);
  }

  @Test
  void anUplinkCarriesWhatItsNodesSendUnlessItIsOversubscribed() {
    assertThat(plan(3, 3).uplinkBitsPerSecond(50_000_000)).isEqualTo(150_000_000);
    TestbedPlan narrow = new TestbedPlan("tw", 3, 4, 20, 1_000, 4, 2_000, true);
    assertThat(narrow.uplinkBitsPerSecond(narrow.linkBitsPerSecond())).isEqualTo(50_000_000);
  }

  @ParameterizedTest
  @CsvSource({
    "Tw, 3, 3, 20, 10000, 1, 2000, --name",
    "toolongname, 3, 3, 20, 10000, 1, 2000, --name",
    "tw, 0, 3, 20, 10000, 1, 2000, --racks",
    "tw, 3, 51, 20, 10000, 1, 2000, --nodes",
    "tw, 3, 3, 0, 10000, 1, 2000, --scale-down",
    "tw, 3, 3, 20, 10, 1, 2000, --link-megabits",
    "tw, 3, 3, 20, 10000, 0, 2000, --oversubscription",
    "tw, 3, 3, 20, 10000, 1, 10, --volume-megabytes"
  })
  void namesTheOptionAndTheValueThatAreWrong(
      String name,
      int racks,
      int nodes,
      int scale,
      int link,
      int oversubscription,
      int volume,
      String option) {
    assertThatThrownBy(
            () -> new TestbedPlan(name, racks, nodes, scale, link, oversubscription, volume, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(option + " is ");
  }
}
