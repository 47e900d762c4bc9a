package io.tierwise.simulator.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "BYTES, 64 MiB, 67108864",
    "BYTES, 64MB, 64e6",
    "BYTES, 1.5 kB, 1500",
    "BYTES, 0, 0",
    "RATE, 10 Gbps, 1.25e9",
    "RATE, 61 MB/s, 61e6",
    "TIME, 3 h, 10800",
    "TIME, 0.1 ms, 1e-4",
    "TIME, 1e-3 s, 1e-3",
    "POWER, 46 W, 46",
    "FREQUENCY, 2.8 GHz, 2.8e9",
    "MONEY, $0.05, 0.05",
    "MONEY, 0.05 $, 0.05",
    "MONEY, 3 USD, 3",
    "ARRIVALS, 6 /min, 0.1",
    "ARRIVALS, 36/h, 0.01"
  })
  void aFigureIsItsNumberTimesItsUnit(Quantity quantity, String text, double value) {
    assertThat(quantity.parse(text)).isEqualTo(value);
  }

  @Property(tries = 300)
  void whatIsWrittenReadsBackExactly(
      @ForAll Quantity quantity,
      @ForAll @DoubleRange(min = 1e-9, max = 1e15) @Scale(9) double value) {
    assertThat(quantity.parse(quantity.write(value))).isEqualTo(value);
  }

  @Property(tries = 300)
  void wholeNumbersOfAnySizeReadBackExactly(
      @ForAll @LongRange(min = 0, max = 1_000_000_000_000_000_000L) long bytes) {
    assertThat(Quantity.BYTES.parseWhole(Quantity.BYTES.writeWhole(bytes))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "BYTES, 67108864, 64 MiB",
    "RATE, 1.25e9, 10 Gbps",
    "TIME, 5400, 1.5 h",
    "MONEY, 0.05, 0.05 $"
  })
  void whatIsWrittenIsShort(Quantity quantity, double value, String text) {
    assertThat(quantity.write(value)).isEqualTo(text);
  }
}
