package io.tierwise.core.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @Test
  void lettersAloneAndUnitsWithAnIArePowersOf1024() {
    for (String text : new String[] {"64m", "64M", "64 m", "64MiB", " 64mib ", "65536k"}) {
      assertThat(ByteSize.parse("--size", text)).as(text).isEqualTo(64L << 20);
    }
  }

  /** As in rules, tier tables and scenarios. */
  @Test
  void unitsWithABArePowersOf1000() {
    for (String text : new String[] {"64MB", "64 mb", "64000kB", "64000000B", "64000000"}) {
      assertThat(ByteSize.parse("--size", text)).as(text).isEqualTo(64_000_000);
    }
    assertThat(ByteSize.parse("--size", "500GB")).isEqualTo(500_000_000_000L);
    assertThat(ByteSize.parse("--size", "9223372TB")).isEqualTo(9_223_372_000_000_000_000L);
  }

  @Test
  void whatHasNoUnitIsBytes() {
    assertThat(ByteSize.parse("--size", "7")).isEqualTo(7);
    assertThat(ByteSize.parse("--size", "7b")).isEqualTo(7);
    assertThat(ByteSize.parse("--size", "3g")).isEqualTo(3L << 30);
    assertThat(ByteSize.parse("--size", "8388607t")).isEqualTo(8_388_607L << 40);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "m",
        "1.5g",
        "-1",
        "64 m b",
        "64ib",
        "8388608t",
        "9223373TB",
        "9999999999999999999"
      })
  void whatIsNoSizeIsNamed(String text) {
    assertThatThrownBy(() -> ByteSize.parse("--size", text))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--size is " + text + ": give bytes");
  }
}
