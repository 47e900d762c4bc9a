package io.tierwise.simulator.scenario.yaml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of a YAML document, with the place where it stands. */
sealed interface YamlValue {
  Origin origin();

  /** The value as an error shows it. */
  String shown();

  /**
   * Where a value stands.
   *
   * @param file name of the file, or of the option, for people
   * @param line from 1; 0 when there is none
   */
  record Origin(String file, int line) {
    @Override
    public String toString() {
      return line == 0 ? file : file + ":" + line;
    }
  }

  /** A text, number or flag, as written; null stands as the empty text. */
  record Scalar(Origin origin, String text) implements YamlValue {
    private static final int SHOWN_MAX = 60;

    @Override
    public String shown() {
      String printable = text.replaceAll("\\p{Cntrl}", "?");
      return "\""
          + (printable.length() <= SHOWN_MAX
              ? printable
              : printable.substring(0, SHOWN_MAX) + "...")
          + "\"";
    }
  }

  /** A list. */
  record Items(Origin origin, List<YamlValue> items) implements YamlValue {
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public String shown() {
      return "a list";
    }
  }

  /** A mapping, in the order written. Keys are in kebab case. */
  record Entries(Origin origin, Map<String, YamlValue> entries) implements YamlValue {
    public Entries {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    @Override
    public String shown() {
      return "a mapping";
    }

    Entries with(String key, YamlValue value) {
      Map<String, YamlValue> changed = new LinkedHashMap<>(entries);
      changed.put(key, value);
      return new Entries(origin, changed);
    }

    Entries without(String key) {
      Map<String, YamlValue> changed = new LinkedHashMap<>(entries);
      changed.remove(key);
      return new Entries(origin, changed);
    }
  }
}
