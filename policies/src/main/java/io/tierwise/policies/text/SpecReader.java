package io.tierwise.policies.text;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Reads {@code name}, {@code name:value} and {@code name:key=value,key=value}. Every refusal is one
 * line that names the bad value and what is allowed.
 *
 * <p>A policy asks for each setting that it knows, then calls {@link #finish}, which refuses those
 * that nobody asked for.
 */
public final class SpecReader {
  private static final int QUOTED_MAX = 40;
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,9}(\\.[0-9]{1,9})?");

  /** The key of a value that stands without one. */
  private static final String BARE = "";

  private final String family;
  private final String name;
  private final String settings;
  private boolean isSplit;
  private final Map<String, String> values = new LinkedHashMap<>();
  private final TreeSet<String> known = new TreeSet<>();

  /**
   * Takes a specification apart.
   *
   * @param family what it names, for messages: "access strategy"
   * @param lengthMax longer texts are refused unread
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  SpecReader(String family, String spec, int lengthMax) {
    this.family = family;
    if (spec.length() > lengthMax) {
      throw new IllegalArgumentException(
          family
              + " "
              + quoted(spec)
              + " is "
              + spec.length()
              + " characters long; at most "
              + lengthMax
              + " are allowed");
    }
    String text = spec.strip();
    int colon = text.indexOf(':');
    name = colon < 0 ? text : text.substring(0, colon).strip();
    settings = colon < 0 ? null : text.substring(colon + 1).strip();
  }

  /**
   * All that stands behind the colon, for a policy with a grammar of its own, which then refuses
   * what it does not know; empty when nothing does.
   */
  public String text() {
    isSplit = true;
    return settings == null ? "" : settings;
  }

  private Map<String, String> values() {
    if (!isSplit) {
      isSplit = true;
      if (settings != null) {
        for (String setting : settings.split(",", -1)) {
          put(setting.strip());
        }
      }
    }
    return values;
  }

  private void put(String setting) {
    int equals = setting.indexOf('=');
    String key = equals < 0 ? BARE : setting.substring(0, equals).strip();
    String value = setting.substring(equals + 1).strip();
    if (value.isEmpty() || (equals >= 0 && key.isEmpty())) {
      throw refusal("setting " + quoted(setting) + " is not key=value");
    }
    if (values.put(key, value) != null) {
      throw refusal("setting " + quoted(key.isEmpty() ? value : key) + " stands twice");
    }
  }

  /** The text in front of the settings. */
  public String name() {
    return name;
  }

  /** A whole number from {@code min} to {@code max}. */
  public int integer(String key, int defaultValue, int min, int max) {
    known.add(key);
    String value = values().remove(key);
    if (value == null) {
      return defaultValue;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException notAnInteger) {
      // Refused below, in the same words as a number outside the range.
    }
    throw refusal(
        key
            + " is "
            + quoted(value)
            + "; a whole number from "
            + min
            + " to "
            + max
            + " is allowed");
  }

  /** The value that stands without a key, as a number of {@code 10^-scale} units. */
  public int bareDecimal(String meaning, int defaultUnits, int scale, int maxUnits) {
    String value = values().remove(BARE);
    return value == null
        ? defaultUnits
        : Math.toIntExact(decimalUnits(meaning, value, scale, maxUnits));
  }

  /** A number from 0 to {@code maxUnits}, in units of {@code 10^-scale}. */
  public int decimal(String key, int defaultUnits, int scale, int maxUnits) {
    return Math.toIntExact(decimalOfMany(key, defaultUnits, scale, maxUnits));
  }

  /** The same with more units than an {@code int} counts. */
  public long decimalOfMany(String key, long defaultUnits, int scale, long maxUnits) {
    known.add(key);
    String value = values().remove(key);
    return value == null ? defaultUnits : decimalUnits(key, value, scale, maxUnits);
  }

  private long decimalUnits(String meaning, String value, int scale, long maxUnits) {
    // The pattern bounds the digits: "1e999999999" would ask for a gigabyte of zeros.
    if (DECIMAL.matcher(value).matches()) {
      BigDecimal units = new BigDecimal(value).movePointRight(scale).stripTrailingZeros();
      if (units.scale() <= 0
          && units.signum() >= 0
          && units.compareTo(BigDecimal.valueOf(maxUnits)) <= 0) {
        return units.longValueExact();
      }
    }
    throw refusal(
        meaning
            + " is "
            + quoted(value)
            + "; a number from 0 to "
            + BigDecimal.valueOf(maxUnits, scale).stripTrailingZeros().toPlainString()
            + " with at most "
            + scale
            + " decimals is allowed");
  }

  /** Any text without a comma. */
  public String text(String key, String defaultValue) {
    known.add(key);
    String value = values().remove(key);
    return value == null ? defaultValue : value;
  }

  /** {@code true} or {@code false}. */
  public boolean flag(String key, boolean defaultValue) {
    known.add(key);
    String value = values().remove(key);
    if (value == null) {
      return defaultValue;
    }
    if (value.equals("true") || value.equals("false")) {
      return value.equals("true");
    }
    throw refusal(key + " is " + quoted(value) + "; true and false are allowed");
  }

  /** One of an enumeration's words, in lower case with hyphens. */
  public <E extends Enum<E>> E choice(String key, E defaultValue) {
    known.add(key);
    String value = values().remove(key);
    if (value == null) {
      return defaultValue;
    }
    StringBuilder allowed = new StringBuilder();
    for (E constant : defaultValue.getDeclaringClass().getEnumConstants()) {
      String word = SpecWriter.wordOf(constant);
      if (word.equals(value)) {
        return constant;
      }
      allowed.append(allowed.length() == 0 ? "" : ", ").append(word);
    }
    throw refusal(key + " is " + quoted(value) + "; allowed: " + allowed);
  }

  /** Refuses the settings that no one asked for. */
  public <T> T finish(T policy) {
    if (values().isEmpty()) {
      return policy;
    }
    Map.Entry<String, String> first = values.entrySet().iterator().next();
    String what = first.getKey().equals(BARE) ? first.getValue() : first.getKey();
    throw refusal(
        "unknown setting "
            + quoted(what)
            + "; allowed: "
            + (known.isEmpty() ? "none" : String.join(", ", known)));
  }

  /**
   * The settings that nobody has asked for until now, in their order: for policies whose keys are
   * names of something. They count as asked for.
   *
   * @param meaning what such a key is, for messages
   */
  public Map<String, String> others(String meaning) {
    known.add(meaning);
    Map<String, String> others = new LinkedHashMap<>(values());
    if (others.containsKey(BARE)) {
      throw refusal("setting " + quoted(others.get(BARE)) + " is not " + meaning + "=value");
    }
    values.clear();
    return others;
  }

  /** The error of a bad setting. */
  public IllegalArgumentException refusal(String reason) {
    return refusal(reason, null);
  }

  IllegalArgumentException refusal(String reason, Throwable cause) {
    return new IllegalArgumentException(family + " " + quoted(name) + ": " + reason, cause);
  }

  /** The text on one line, cut short, so that hostile input cannot forge or flood a log. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    int end = Math.min(text.length(), QUOTED_MAX);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c < 0x7f) {
        quoted.append(c);
      } else {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return quoted.append(end < text.length() ? "...\"" : "\"").toString();
  }
}
