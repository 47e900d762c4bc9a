package io.tierwise.simulator.scenario.yaml;

import io.tierwise.core.message.OperatorException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A physical quantity: the units it may be written in, and the base unit it is kept in. */
public enum Quantity {
  BYTES(
      "size",
      "64 MB",
      new Units()
          .add("B", "1")
          .add("kB", "1e3")
          .add("MB", "1e6")
          .add("GB", "1e9")
          .add("TB", "1e12")
          .add("PB", "1e15")
          .add("KiB", "1024")
          .add("MiB", "1048576")
          .add("GiB", "1073741824")
          .add("TiB", "1099511627776")
          .add("PiB", "1125899906842624")),
  RATE(
      "rate",
      "61 MB/s",
      new Units()
          .add("B/s", "1")
          .add("kB/s", "1e3")
          .add("MB/s", "1e6")
          .add("GB/s", "1e9")
          .add("KiB/s", "1024")
          .add("MiB/s", "1048576")
          .add("GiB/s", "1073741824")
          .add("kbps", "125")
          .add("Mbps", "125e3")
          .add("Gbps", "125e6")
          .add("Tbps", "125e9")),
  TIME(
      "time",
      "3 h",
      new Units()
          .add("ns", "1e-9")
          .add("us", "1e-6")
          .add("ms", "1e-3")
          .add("s", "1")
          .add("min", "60")
          .add("h", "3600")
          .add("d", "86400")),
  POWER("power", "46 W", new Units().add("mW", "1e-3").add("W", "1").add("kW", "1e3")),
  FREQUENCY("frequency", "2.8 GHz", new Units().add("Hz", "1").add("MHz", "1e6").add("GHz", "1e9")),
  MONEY("money", "$0.05", new Units().add("$", "1").add("USD", "1")),
  ARRIVALS(
      "rate of arrival",
      "6 /min",
      new Units()
          .add("/s", "1")
          .add("/min", "0.016666666666666666666666666666666667")
          .add("/h", "0.00027777777777777777777777777777777778"));

  private static final Pattern NUMBER =
      Pattern.compile("([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\\s*(.*)");
  private static final int TEXT_MAX = 60;
  private static final int SHORT_DIGITS = 6;

  private final String label;
  private final String example;

  @SuppressWarnings("ImmutableEnumChecker") // filled by the constructor, never changed after
  private final Map<String, BigDecimal> units;

  Quantity(String label, String example, Units units) {
    this.label = label;
    this.example = example;
    this.units = units.all;
  }

  /** Collects a quantity's units. */
  private static final class Units {
    private final Map<String, BigDecimal> all = new LinkedHashMap<>();

    Units add(String name, String inBaseUnits) {
      all.put(name, new BigDecimal(inBaseUnits));
      return this;
    }
  }

  /** Its name for people: "size". */
  public String label() {
    return label;
  }

  /** A value as one may write it. */
  public String example() {
    return example;
  }

  public List<String> unitNames() {
    return List.copyOf(units.keySet());
  }

  /**
   * The figure in base units (bytes, seconds, watts, hertz, US dollars, a second).
   *
   * @throws IllegalArgumentException naming what is wrong and which units there are; a number
   *     without unit is wrong too, but for zero
   */
  public double parse(String text) {
    return exact(text).doubleValue();
  }

  /** As {@link #parse}, in whole base units, rounded to the nearest. */
  public long parseWhole(String text) {
    BigDecimal exact = exact(text);
    if (exact.abs().doubleValue() >= Long.MAX_VALUE) {
      throw new IllegalArgumentException("is out of range");
    }
    return exact.setScale(0, RoundingMode.HALF_UP).longValueExact();
  }

  /**
   * A time of 1 s or more as a user gave it to an option, in milliseconds.
   *
   * @param option names the text in a message
   * @throws OperatorException when it is no time, or a shorter one
   */
  public static long millis(String option, String text) {
    try {
      double seconds = TIME.parse(text.strip());
      if (seconds < 1) {
        throw new IllegalArgumentException("is too little: give 1 s or more");
      }
      return Math.round(seconds * 1e3);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(option + " \"" + text + "\" " + e.getMessage());
    }
  }

  private BigDecimal exact(String text) {
    String figure =
        this == MONEY ? text.replaceFirst("^([+-]?)\\$\\s*([0-9.].*)$", "$1$2 \\$") : text;
    Matcher parts = NUMBER.matcher(figure.strip());
    if (text.length() > TEXT_MAX || !parts.matches()) {
      throw new IllegalArgumentException("is no " + label + "; write it as \"" + example + "\"");
    }
    BigDecimal number = new BigDecimal(parts.group(1));
    String unit = parts.group(2).strip();
    if (unit.isEmpty() && number.signum() == 0) {
      return BigDecimal.ZERO;
    }
    BigDecimal factor = units.get(unit);
    if (factor == null) {
      throw new IllegalArgumentException(
          (unit.isEmpty() ? "has no unit" : "has the unknown unit \"" + unit + "\"")
              + "; allowed: "
              + String.join(", ", units.keySet()));
    }
    return number.multiply(factor);
  }

  /** The shortest text that {@link #parse} turns into exactly {@code value}. */
  public String write(double value) {
    String text = shortest(new BigDecimal(Double.toString(value)), value);
    return text != null ? text : value + " " + baseUnit();
  }

  /** The shortest text that {@link #parseWhole} turns into exactly {@code value}. */
  public String writeWhole(long value) {
    String text = shortest(BigDecimal.valueOf(value), (double) value);
    return text != null && parseWhole(text) == value ? text : value + " " + baseUnit();
  }

  private String shortest(BigDecimal exact, double value) {
    List<String> names = new ArrayList<>(units.keySet());
    Collections.reverse(names);
    String best = null;
    for (String name : names) {
      BigDecimal number = exact.divide(units.get(name), MathContext.DECIMAL64).stripTrailingZeros();
      String text = number.toPlainString() + " " + name;
      boolean fits = number.precision() <= SHORT_DIGITS && text.length() <= TEXT_MAX;
      if (fits && parse(text) == value && (best == null || text.length() < best.length())) {
        best = text;
      }
    }
    return best;
  }

  private String baseUnit() {
    return units.entrySet().stream()
        .filter(unit -> unit.getValue().compareTo(BigDecimal.ONE) == 0)
        .findFirst()
        .orElseThrow()
        .getKey();
  }
}
