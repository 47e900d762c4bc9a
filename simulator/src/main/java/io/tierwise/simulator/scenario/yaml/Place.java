package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import io.tierwise.simulator.scenario.yaml.YamlValue.Items;
import io.tierwise.simulator.scenario.yaml.YamlValue.Scalar;
import java.util.ArrayList;
import java.util.List;

/**
 * A value and the path of keys that leads to it, so that an error can name both.
 *
 * @param path empty for the document
 */
record Place(YamlValue value, String path) {
  private static final int MESSAGE_MAX = 360;

  /** An error here: {@code file:line: path: problem}, on one line. */
  ScenarioException error(String problem) {
    String where = path.isEmpty() ? "" : path + ": ";
    String text = (value.origin() + ": " + where + problem).replaceAll("\\s*\\R\\s*", " ");
    return new ScenarioException(
        text.length() <= MESSAGE_MAX ? text : text.substring(0, MESSAGE_MAX) + "...");
  }

  /** An error that begins with the value as written. */
  ScenarioException wrong(String problem) {
    return error(value.shown() + " " + problem);
  }

  Place child(String key, YamlValue child) {
    return new Place(child, path.isEmpty() ? key : path + "." + key);
  }

  /** The entries, or an error. */
  Entries mapping() {
    if (value instanceof Entries entries) {
      return entries;
    }
    if (value instanceof Scalar scalar && scalar.text().isEmpty()) {
      return new Entries(value.origin(), java.util.Map.of());
    }
    throw error("must be a mapping of keys, is " + value.shown());
  }

  boolean isText() {
    return value instanceof Scalar;
  }

  /** The items; a single value counts as a list of one, nothing as an empty list. */
  List<Place> items() {
    if (value instanceof Scalar scalar && scalar.text().isEmpty()) {
      return List.of();
    }
    if (!(value instanceof Items list)) {
      return List.of(this);
    }
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < list.items().size(); i++) {
      places.add(new Place(list.items().get(i), path + "[" + i + "]"));
    }
    return places;
  }

  /** The text, or an error; never empty. */
  String text() {
    if (value instanceof Scalar scalar) {
      if (scalar.text().isEmpty()) {
        throw error("must not be empty");
      }
      return scalar.text();
    }
    throw error("must be a single value, is " + value.shown());
  }
}
