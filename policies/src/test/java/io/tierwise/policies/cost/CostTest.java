package io.tierwise.policies.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class CostTest {
  /** DerbyhatS, section 3.2: two disks fewer, 3.75 or 8 ports more save 81% or 60%. */
  @Test
  void reproducesTheEquipmentComparisonOfLsn() {
    double saved = Money.equipmentDollars(10 - 8, 50, 0, 5);
    assertThat(1 - Money.equipmentDollars(0, 50, 9.75 - 6, 5) / saved)
        .isCloseTo(0.81, within(0.005));
    assertThat(1 - Money.equipmentDollars(0, 50, 8, 5) / saved).isCloseTo(0.60, within(0.005));
  }

  /** HDFS_H, Eq. 10-13 with the prices of section 5.5: 1.00 and 0.05 dollars a gigabyte. */
  @Test
  void pricesADataSetByTheShareOnSsds() {
    assertThat(Money.storageDollars(48e9, 0, 1.00, 0.05)).isCloseTo(2.4, within(1e-9));
    assertThat(Money.storageDollars(48e9, 0.2, 1.00, 0.05)).isCloseTo(11.52, within(1e-9));
    assertThat(Money.storageDollars(48e9, 1, 1.00, 0.05)).isCloseTo(48, within(1e-9));
  }

  @Property
  void pricesASplitDataSetLikeItsTwoParts(
      @ForAll @DoubleRange(min = 0, max = 1) @Scale(6) double ssdShare,
      @ForAll @DoubleRange(min = 0, max = 1e15) double bytes) {
    double parts =
        Money.capacityDollars(ssdShare * bytes, 1.3)
            + Money.capacityDollars((1 - ssdShare) * bytes, 0.07);
    assertThat(Money.storageDollars(bytes, ssdShare, 1.3, 0.07))
        .isCloseTo(parts, within(1e-9 * (1 + parts)));
  }

  @Test
  void chargesIdleAndActiveTime() {
    assertThat(Energy.deviceJoules(100, 0, 0.65, 6)).isEqualTo(65);
    assertThat(Energy.deviceJoules(100, 100, 0.65, 6)).isEqualTo(600);
    assertThat(Energy.deviceJoules(100, 10, 0.65, 6)).isCloseTo(58.5 + 60, within(1e-9));
    assertThat(Energy.nodeJoules(3600, 4 * 3600, 8, 60, 200))
        .as("half of the cores busy")
        .isEqualTo(3600 * 130);
    assertThat(Money.energyDollars(Energy.nodeJoules(3600, 0, 8, 1000, 1000), 0.2))
        .as("a kilowatt for an hour")
        .isCloseTo(0.2, within(1e-12));
  }

  @Test
  void namesTheFigureThatMakesNoSense() {
    assertThatThrownBy(() -> Energy.deviceJoules(1, 2, 1, 2))
        .hasMessage("activeSeconds are 2.0, more than the 1.0 there are");
    assertThatThrownBy(() -> Energy.deviceJoules(1, 1, 3, 2))
        .hasMessage("wattsActive is 2.0, below wattsIdle 3.0");
    assertThatThrownBy(() -> Money.storageDollars(1, 1.5, 1, 1)).hasMessageContaining("is 1.5");
  }
}
