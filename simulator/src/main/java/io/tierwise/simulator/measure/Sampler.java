package io.tierwise.simulator.measure;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.measure.RunResult.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Lines of a chart over time, without knowing how long the run will be: when there are too many
 * samples, every two are joined and the interval doubles.
 *
 * <p>A line is the growth of a total (bytes, busy seconds) by the interval.
 */
public final class Sampler {
  private static final int SAMPLES_MAX = 512;

  private final Engine engine;
  private final int sample;
  private final List<Line> lines = new ArrayList<>();
  private long intervalTicks = Ticks.ofSeconds(1);
  private int count;
  private boolean stopped;

  /** A total, what it was at the last sample, and its growth in each interval. */
  private static final class Line {
    final String name;
    final String unit;
    final DoubleSupplier total;
    final double scale;
    final double[] growth = new double[SAMPLES_MAX];
    double before;

    Line(String name, String unit, DoubleSupplier total, double scale) {
      this.name = name;
      this.unit = unit;
      this.total = total;
      this.scale = scale;
    }
  }

  public Sampler(Engine engine) {
    this.engine = engine;
    this.sample = engine.registerBackground(argument -> sample());
  }

  /**
   * Adds a line: {@code scale} times the growth of {@code total} by second.
   *
   * @param unit of the line's values
   */
  public void add(String name, String unit, DoubleSupplier total, double scale) {
    lines.add(new Line(name, unit, total, scale));
  }

  /** Samples from now on. */
  public void start() {
    engine.at(engine.now() + intervalTicks, sample, 0);
  }

  /** Samples no more: the run is over. */
  public void stop() {
    stopped = true;
  }

  private void sample() {
    if (stopped) {
      return;
    }
    for (Line line : lines) {
      double total = line.total.getAsDouble();
      line.growth[count] = total - line.before;
      line.before = total;
    }
    count++;
    if (count == SAMPLES_MAX) {
      // Before the next sample is due, so that none covers half of an interval.
      halve();
    }
    if (engine.isIdle()) {
      // Nobody keeps a run alive by looking at it.
      return;
    }
    engine.at(engine.now() + intervalTicks, sample, 0);
  }

  private void halve() {
    count = SAMPLES_MAX / 2;
    for (Line line : lines) {
      for (int i = 0; i < count; i++) {
        line.growth[i] = line.growth[2 * i] + line.growth[2 * i + 1];
      }
    }
    intervalTicks *= 2;
  }

  /** The samples until now. */
  public List<Series> series() {
    double seconds = Ticks.toSeconds(intervalTicks);
    List<Series> series = new ArrayList<>();
    for (Line line : lines) {
      double[] values = Arrays.copyOf(line.growth, count);
      for (int i = 0; i < count; i++) {
        values[i] *= line.scale / seconds;
      }
      series.add(new Series(line.name, line.unit, seconds, values));
    }
    return series;
  }
}
