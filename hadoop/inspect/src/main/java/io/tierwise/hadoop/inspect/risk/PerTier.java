package io.tierwise.hadoop.inspect.risk;

import io.tierwise.core.message.OperatorException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A figure of each tier, as options give it: {@code TIER=NUMBER} for one, {@code NUMBER} for those
 * that have none of their own.
 */
final class PerTier {
  /** What {@code Double.parseDouble} takes beyond it is no number to a reader: 0x1p3, 9d, NaN. */
  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

  private final String option;
  private final double max;
  private final Map<String, Double> byTier = new TreeMap<>();
  private OptionalDouble ofOthers = OptionalDouble.empty();

  /**
   * Reads what an option was given.
   *
   * @param max the largest figure that makes sense
   */
  PerTier(String option, List<String> texts, double max) {
    this.option = option;
    this.max = max;
    texts.forEach(this::read);
  }

  private void read(String text) {
    int equals = text.indexOf('=');
    double value = number(text, text.substring(equals + 1).strip());
    String tier = text.substring(0, Math.max(0, equals)).strip();
    if (equals >= 0 && tier.isEmpty()) {
      throw noFigure(text);
    }
    boolean again = equals < 0 ? ofOthers.isPresent() : byTier.containsKey(tier);
    if (again) {
      throw OperatorException.badInput(
          option
              + (equals < 0 ? " gives two numbers for all tiers" : " names tier " + tier + " twice")
              + ": give one");
    }
    if (equals < 0) {
      ofOthers = OptionalDouble.of(value);
    } else {
      byTier.put(tier, value);
    }
  }

  private double number(String text, String number) {
    if (!NUMBER.matcher(number).matches()) {
      throw noFigure(text);
    }
    double value = Double.parseDouble(number);
    if (!(value > 0 && value <= max)) {
      throw noFigure(text);
    }
    return value;
  }

  private OperatorException noFigure(String text) {
    return OperatorException.badInput(
        String.format(
            Locale.ROOT,
            "%s %s is no figure: give NUMBER or TIER=NUMBER, above 0 and at most %,.0f",
            option,
            text,
            max));
  }

  /** Tiers that it names. */
  Set<String> tiers() {
    return byTier.keySet();
  }

  /** A tier's own figure, or that of tiers without one; empty when the option gives neither. */
  OptionalDouble of(String tier) {
    Double own = byTier.get(tier);
    return own == null ? ofOthers : OptionalDouble.of(own);
  }

  /**
   * The figure of nodes of all tiers; empty when the option gives none.
   *
   * @throws OperatorException when it gives figures of single tiers
   */
  OptionalDouble ofAll() {
    if (!byTier.isEmpty()) {
      throw OperatorException.badInput(
          option
              + " names tier "
              + byTier.keySet().iterator().next()
              + ", but all nodes are taken alike here: give "
              + option
              + " NUMBER, or --policy");
    }
    return ofOthers;
  }
}
