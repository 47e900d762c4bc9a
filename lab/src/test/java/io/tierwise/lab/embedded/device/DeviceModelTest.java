package io.tierwise.lab.embedded.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DeviceModelTest {
  private static final long BYTES = 64 << 20;

  @Test
  void oneReaderGetsTheTablesSpeed() {
    assertThat(BYTES / DeviceModel.DISK.secondsToRead(BYTES, 1)).isCloseTo(61e6, within(1.0));
    assertThat(BYTES / DeviceModel.SATA_SSD.secondsToWrite(BYTES, 1)).isCloseTo(139e6, within(1.0));
  }

  @Test
  void aDiskLosesThroughputWithReadersAndAnSsdDoesNot() {
    assertThat(DeviceModel.DISK.secondsToRead(BYTES, 2))
        .isGreaterThan(1.1 * DeviceModel.DISK.secondsToRead(BYTES, 1));
    assertThat(DeviceModel.PCIE_SSD.secondsToRead(BYTES, 8))
        .isEqualTo(DeviceModel.PCIE_SSD.secondsToRead(BYTES, 1));
  }

  @Property
  void aDiskNeverGetsFasterWithMoreStreams(@ForAll @IntRange(min = 1, max = 64) int streams) {
    assertThat(DeviceModel.DISK.secondsToRead(BYTES, streams + 1))
        .isGreaterThan(DeviceModel.DISK.secondsToRead(BYTES, streams));
  }

  @Property
  void scalingKeepsTheShareThatPositioningTakes(@ForAll @IntRange(min = 1, max = 16) int streams) {
    DeviceModel tenth = DeviceModel.DISK.scaled(0.1);

    assertThat(tenth.secondsToRead(BYTES / 10, streams))
        .isCloseTo(DeviceModel.DISK.secondsToRead(BYTES, streams), within(1e-3));
  }
}
