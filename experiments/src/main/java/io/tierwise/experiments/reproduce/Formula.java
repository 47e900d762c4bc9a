package io.tierwise.experiments.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How a number comes out of runs: arithmetic over {@code [run figure]}.
 *
 * <p>{@code mean{apps}([lsn-{apps} makespan_seconds] / [base-{apps} makespan_seconds])} repeats
 * what stands in the parentheses for each member of the set {@code apps}. Functions: mean, sum,
 * min, max, abs, and {@code largest:3}, the third largest.
 */
final class Formula {
  /** The figures of a run. */
  @FunctionalInterface
  interface Figures {
    double value(String run, String figure);
  }

  private final String text;
  private final Map<String, List<String>> sets;
  private final Figures figures;
  private int at;

  private Formula(String text, Map<String, List<String>> sets, Figures figures) {
    this.text = text;
    this.sets = sets;
    this.figures = figures;
  }

  /**
   * The value.
   *
   * @param sets members by name
   * @throws IllegalArgumentException one line that names the formula and the place
   */
  static double evaluate(String text, Map<String, List<String>> sets, Figures figures) {
    Formula formula = new Formula(text, sets, figures);
    double value = formula.sum();
    formula.blanks();
    if (formula.at < text.length()) {
      throw formula.wrong("is more than a formula");
    }
    return value;
  }

  private IllegalArgumentException wrong(String problem) {
    return new IllegalArgumentException(
        "formula \"" + text + "\": what follows character " + at + " " + problem);
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean take(char wanted) {
    blanks();
    if (at < text.length() && text.charAt(at) == wanted) {
      at++;
      return true;
    }
    return false;
  }

  private double sum() {
    double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  private double product() {
    double value = factor();
    while (true) {
      if (take('*')) {
        value *= factor();
      } else if (take('/')) {
        value /= factor();
      } else {
        return value;
      }
    }
  }

  private double factor() {
    if (take('-')) {
      return -factor();
    }
    if (take('(')) {
      double value = sum();
      require(')');
      return value;
    }
    if (take('[')) {
      int end = text.indexOf(']', at);
      String[] parts = text.substring(at, Math.max(at, end)).strip().split("\\s+");
      if (end < 0 || parts.length != 2) {
        throw wrong("is no [run figure]");
      }
      at = end + 1;
      return figures.value(parts[0], parts[1]);
    }
    blanks();
    return at < text.length() && Character.isLetter(text.charAt(at)) ? function() : number();
  }

  private void require(char wanted) {
    if (!take(wanted)) {
      throw wrong("should be " + wanted);
    }
  }

  private double number() {
    int start = at;
    while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      at++;
    }
    if (start == at) {
      throw wrong("is no number, function, run or parenthesis");
    }
    return Double.parseDouble(text.substring(start, at));
  }

  private double function() {
    int start = at;
    while (at < text.length() && "({".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String name = text.substring(start, at).strip();
    String set = null;
    if (take('{')) {
      int end = text.indexOf('}', at);
      set = text.substring(at, Math.max(at, end)).strip();
      if (!sets.containsKey(set)) {
        throw wrong("names no set; known: " + String.join(", ", sets.keySet()));
      }
      at = end + 1;
    }
    require('(');
    return apply(name, set == null ? arguments() : repeated(set));
  }

  private double[] arguments() {
    List<Double> values = new ArrayList<>();
    do {
      values.add(sum());
    } while (take(','));
    require(')');
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private double[] repeated(String set) {
    int start = at;
    int depth = 1;
    while (at < text.length() && depth > 0) {
      char c = text.charAt(at++);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    if (depth > 0) {
      throw wrong("should be )");
    }
    String body = text.substring(start, at - 1);
    return sets.get(set).stream()
        .mapToDouble(member -> evaluate(body.replace("{" + set + "}", member), sets, figures))
        .toArray();
  }

  private double apply(String name, double[] values) {
    if (name.matches("largest:[1-9][0-9]?")) {
      int rank = Integer.parseInt(name.substring(name.indexOf(':') + 1));
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      if (rank <= sorted.length) {
        return sorted[sorted.length - rank];
      }
    }
    return switch (name) {
      case "mean" -> Arrays.stream(values).average().orElse(Double.NaN);
      case "sum" -> Arrays.stream(values).sum();
      case "min" -> Arrays.stream(values).min().orElse(Double.NaN);
      case "max" -> Arrays.stream(values).max().orElse(Double.NaN);
      case "abs" -> Math.abs(values[0]);
      default -> throw wrong("follows \"" + name + "\", which is no function of " + values.length);
    };
  }
}
