package io.tierwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class PowerTest {
  @Test
  void whatADeviceDrawsIdleIsNotAdded() {
    assertThat(new Power(5, 8).addedJoules(10)).isEqualTo(30);
    assertThat(new Power(0, 2.5).addedJoules(2)).isEqualTo(5);
    assertThat(Power.UNKNOWN.addedJoules(1)).isNaN();
    assertThat(new Power(5, 8).addedJoules(Double.NaN)).isNaN();
  }

  @Test
  void halfAPowerAndLessActiveThanIdleAreRefused() {
    for (double[] watts : new double[][] {{5, 4}, {-1, 4}, {Double.NaN, 4}, {5, Double.NaN}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Power(watts[0], watts[1]))
          .withMessageContaining("are no power of a device");
    }
  }
}
