package io.tierwise.benchmarks.simulator;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** The figures of the JSON object, in the order in which they were added. */
final class Figures {
  private final Map<String, Double> measured = new LinkedHashMap<>();

  void add(String name, double figure) {
    measured.put(name, figure);
  }

  /**
   * Notes a figure that could not be measured here; the sections say why on a line of their own.
   */
  void addMissing(String name) {
    measured.put(name, Double.NaN);
  }

  /** The measured figures. */
  Map<String, Double> measured() {
    Map<String, Double> present = new LinkedHashMap<>(measured);
    present.values().removeIf(figure -> Double.isNaN(figure));
    return present;
  }

  String json() {
    StringJoiner json = new StringJoiner(", ", "{", "}");
    measured.forEach((name, figure) -> json.add("\"" + name + "\": " + number(figure)));
    return json.toString();
  }

  private static String number(double figure) {
    if (Double.isNaN(figure)) {
      return "null";
    }
    boolean isSmall = figure != 0 && Math.abs(figure) < 0.01;
    return String.format(Locale.ROOT, isSmall ? "%.3e" : "%.3f", figure);
  }
}
