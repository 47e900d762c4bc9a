package io.tierwise.policies.access;

import java.util.Locale;

/** Writes a strategy's canonical specification: its name and the settings that are not default. */
final class SpecWriter {
  private final StringBuilder text;
  private char separator = ':';

  private SpecWriter(String name) {
    text = new StringBuilder(name);
  }

  static SpecWriter of(String name) {
    return new SpecWriter(name);
  }

  SpecWriter add(String key, Object value, Object defaultValue) {
    if (!value.equals(defaultValue)) {
      String word = value instanceof Enum<?> constant ? wordOf(constant) : value.toString();
      text.append(separator).append(key).append('=').append(word);
      separator = ',';
    }
    return this;
  }

  static String wordOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
