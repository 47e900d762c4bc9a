package io.tierwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceClassTest {
  @Test
  void unmeasuredFiguresAreNotGuessed() {
    DeviceClass unmeasured = DeviceClass.unmeasured("disk");
    assertThat(unmeasured.readBytesPerSecond()).isNaN();
    assertThat(unmeasured.writeBytesPerSecond()).isNaN();
    assertThat(unmeasured.randomReadsPerSecond()).isNaN();
    assertThat(unmeasured.peakReadBytesPerSecond()).isNaN();
    assertThat(unmeasured.readersAtPeak()).isZero();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void refusesFiguresThatNoDeviceHas(double figure) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceClass("disk", figure, 1, 1, 1, 1))
        .withMessageContaining("disk")
        .withMessageContaining("readBytesPerSecond");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceClass("disk", 1, figure, 1, 1, 1))
        .withMessageContaining("writeBytesPerSecond");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceClass("disk", 1, 1, figure, 1, 1))
        .withMessageContaining("randomReadsPerSecond");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceClass("disk", 1, 1, 1, 1, figure))
        .withMessageContaining("peakReadBytesPerSecond");
  }

  @Test
  void refusesANegativeReaderCount() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DeviceClass("disk", 1, 1, 1, -1, 1))
        .withMessageContaining("readersAtPeak is -1");
  }
}
