package io.tierwise.experiments.sweep;

import io.tierwise.core.message.OperatorException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One key of a sweep and the values it takes.
 *
 * @param key dotted path
 * @param values as {@code --set} would take them
 */
public record Variation(String key, List<String> values) {
  static final int VALUES_MAX = 1000;

  private static final Pattern RANGE =
      Pattern.compile(
          "\\s*(-?[0-9]+(?:\\.[0-9]+)?)\\.\\.(-?[0-9]+(?:\\.[0-9]+)?)(?:\\.\\.([0-9]+(?:\\.[0-9]+)?))?"
              + "\\s*([^\\s0-9.,]\\S*)?\\s*");

  /** The innermost braces that hold alternatives, not a YAML mapping. */
  private static final Pattern BRACES = Pattern.compile("\\{([^{}:]*)}");

  public Variation {
    values = List.copyOf(values);
  }

  /**
   * Reads {@code key=a,b,c}, {@code key=from..to..step unit} or {@code key=text{a,b}text}.
   *
   * @param option what the user wrote it behind
   */
  public static Variation parse(String text, String option) {
    int equals = text.indexOf('=');
    if (equals < 1 || equals == text.length() - 1) {
      throw OperatorException.badInput(
          option + " " + text + ": write KEY=A,B,C or KEY=FROM..TO..STEP");
    }
    List<String> values = new ArrayList<>();
    for (String part : topLevel(text.substring(equals + 1))) {
      expand(part.strip(), values, option + " " + text);
    }
    if (values.contains("")) {
      throw OperatorException.badInput(
          option + " " + text + ": a value is empty: write values between commas");
    }
    for (String value : values) {
      // Two points of one value have one name, and the second would run for nothing.
      if (Collections.frequency(values, value) > 1) {
        throw OperatorException.badInput(
            option + " " + text + ": " + value + " is there twice: name each value once");
      }
    }
    return new Variation(text.substring(0, equals).strip(), values);
  }

  /** At commas outside of all brackets. */
  static List<String> topLevel(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      depth += "[{(".indexOf(c) >= 0 ? 1 : "]})".indexOf(c) >= 0 ? -1 : 0;
      if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static void expand(String part, List<String> into, String shown) {
    Matcher braces = BRACES.matcher(part);
    if (braces.find()) {
      List<String> inner = new ArrayList<>();
      for (String alternative : braces.group(1).split(",", -1)) {
        range(alternative.strip(), inner, shown);
      }
      for (String value : inner) {
        expand(
            part.substring(0, braces.start()) + value + part.substring(braces.end()), into, shown);
      }
    } else {
      range(part, into, shown);
    }
    if (into.size() > VALUES_MAX) {
      throw OperatorException.badInput(shown + ": more than " + VALUES_MAX + " values");
    }
  }

  private static void range(String text, List<String> into, String shown) {
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      into.add(text);
      return;
    }
    BigDecimal from = new BigDecimal(range.group(1));
    BigDecimal to = new BigDecimal(range.group(2));
    BigDecimal step = range.group(3) == null ? BigDecimal.ONE : new BigDecimal(range.group(3));
    if (step.signum() <= 0 || from.compareTo(to) > 0) {
      throw OperatorException.badInput(
          shown + ": a range goes upwards, by a step above 0, like 0..1..0.25");
    }
    String unit = range.group(4) == null ? "" : " " + range.group(4);
    for (BigDecimal value = from; value.compareTo(to) <= 0; value = value.add(step)) {
      into.add(value.stripTrailingZeros().toPlainString() + unit);
      if (into.size() > VALUES_MAX) {
        return;
      }
    }
  }

  /** Names for people: the last steps of keys, or all of those whose last step others have, too. */
  static List<String> shortNames(List<String> keys) {
    List<String> lastSteps =
        keys.stream().map(key -> key.substring(key.lastIndexOf('.') + 1)).toList();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      boolean isAlone = Collections.frequency(lastSteps, lastSteps.get(i)) == 1;
      names.add(isAlone ? lastSteps.get(i) : keys.get(i));
    }
    return names;
  }
}
