package io.tierwise.simulator.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.Arrays;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines over time, in runs of which most are longer than the samples that a line keeps. */
class SamplerTest {
  private final Engine engine = new Engine();

  private RunResult.Series sampled(int seconds, DoubleSupplier total, double scale) {
    Sampler sampler = new Sampler(engine);
    sampler.add("line", "unit", total, scale);
    sampler.start();
    // Something else goes on until then.
    engine.at(Ticks.ofSeconds(seconds), engine.register(argument -> {}), 0);
    engine.runUntil(Ticks.ofSeconds(seconds));
    return sampler.series().get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "500, 500, 1",
    "511, 511, 1",
    "512, 256, 2",
    "513, 256, 2",
    "514, 257, 2",
    "1023, 511, 2",
    "1024, 256, 4",
    "2000, 500, 4",
    "86400, 337, 256"
  })
  void aSteadyLineIsDrawnAsOne(int seconds, int samples, double intervalSeconds) {
    RunResult.Series line = sampled(seconds, () -> 50 * Ticks.toSeconds(engine.now()), 2);

    assertThat(line.intervalSeconds()).isEqualTo(intervalSeconds);
    assertThat(line.values()).hasSize(samples);
    assertThat(line.values()).usingComparatorWithPrecision(1e-9).containsOnly(100);
  }

  /** Of a total of t t the growth from a to b, by second, is a + b. */
  @ParameterizedTest
  @CsvSource({"300", "700", "3000"})
  void eachValueIsTheMeanOfItsInterval(int seconds) {
    RunResult.Series line =
        sampled(seconds, () -> Ticks.toSeconds(engine.now()) * Ticks.toSeconds(engine.now()), 1);
    double[] expected = new double[line.values().length];
    Arrays.setAll(expected, i -> (2 * i + 1) * line.intervalSeconds());

    assertThat(line.values()).containsExactly(expected, within(1e-6));
  }
}
