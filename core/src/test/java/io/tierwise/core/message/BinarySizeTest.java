package io.tierwise.core.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinarySizeTest {
  @Test
  void unitsArePowersOf1024InAnySpelling() {
    for (String text : new String[] {"64m", "64M", "64 mb", "64MiB", " 64mib ", "65536k"}) {
      assertThat(BinarySize.parse("--size", text)).as(text).isEqualTo(64L << 20);
    }
    assertThat(BinarySize.parse("--size", "7")).isEqualTo(7);
    assertThat(BinarySize.parse("--size", "7b")).isEqualTo(7);
    assertThat(BinarySize.parse("--size", "3g")).isEqualTo(3L << 30);
    assertThat(BinarySize.parse("--size", "8388607t")).isEqualTo(8_388_607L << 40);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "m", "1.5g", "-1", "64 m b", "64ib", "8388608t", "9999999999999999999"})
  void whatIsNoSizeIsNamed(String text) {
    assertThatThrownBy(() -> BinarySize.parse("--size", text))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--size is " + text + ": give bytes");
  }
}
