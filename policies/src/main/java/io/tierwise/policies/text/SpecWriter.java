package io.tierwise.policies.text;

import java.util.Locale;

/** Writes a policy's canonical specification: its name and the settings that are not default. */
public final class SpecWriter {
  private final StringBuilder text;
  private char separator;

  private SpecWriter(String specification) {
    text = new StringBuilder(specification);
    separator = specification.indexOf(':') < 0 ? ':' : ',';
  }

  /** A specification to which settings are added; it may have some already. */
  public static SpecWriter of(String specification) {
    return new SpecWriter(specification);
  }

  /** Adds a setting unless it has its default. */
  public SpecWriter add(String key, Object value, Object defaultValue) {
    if (!value.equals(defaultValue)) {
      String word = value instanceof Enum<?> constant ? wordOf(constant) : value.toString();
      text.append(separator).append(key).append('=').append(word);
      separator = ',';
    }
    return this;
  }

  /** An enumeration's word: lower case with hyphens. */
  public static String wordOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
