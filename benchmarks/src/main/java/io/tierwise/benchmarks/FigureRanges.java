package io.tierwise.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The ranges that figures must be in: {@code benchmarks/ranges.yaml}, which says why. */
public final class FigureRanges {
  private final Map<?, ?> ranges;

  private FigureRanges(Map<?, ?> ranges) {
    this.ranges = ranges;
  }

  /** Reads the ranges from a YAML file: a mapping from figures to {@code min} and {@code max}. */
  public static FigureRanges read(Path file) throws IOException {
    Object read = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    if (!(read instanceof Map<?, ?> ranges)) {
      throw new IOException(file + ": must be a mapping from figures to ranges");
    }
    return new FigureRanges(ranges);
  }

  /** One line for each figure that is out of its range, or that has none. */
  public List<String> misses(Map<String, Double> figures) {
    List<String> misses = new ArrayList<>();
    figures.forEach(
        (name, figure) -> {
          if (!(ranges.get(name) instanceof Map<?, ?> range)) {
            misses.add(name + " has no range");
          } else if (figure < limit(range, "min", -Double.MAX_VALUE)
              || figure > limit(range, "max", Double.MAX_VALUE)) {
            misses.add(
                String.format(Locale.ROOT, "%s is %.3f, must be in %s", name, figure, range));
          }
        });
    return misses;
  }

  /** As {@link #misses}, for figures with an interval: a miss is one that is outside as a whole. */
  public List<String> missesOfIntervals(Map<String, Interval> figures) {
    List<String> misses = new ArrayList<>();
    figures.forEach(
        (name, figure) -> {
          if (!(ranges.get(name) instanceof Map<?, ?> range)) {
            misses.add(name + " has no range");
          } else if (figure.high() < limit(range, "min", -Double.MAX_VALUE)
              || figure.low() > limit(range, "max", Double.MAX_VALUE)) {
            misses.add(name + " is " + figure + ", must be in " + range);
          }
        });
    return misses;
  }

  private static double limit(Map<?, ?> range, String end, double otherwise) {
    return range.get(end) instanceof Number number ? number.doubleValue() : otherwise;
  }
}
