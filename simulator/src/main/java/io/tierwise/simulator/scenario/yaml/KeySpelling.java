package io.tierwise.simulator.scenario.yaml;

import io.tierwise.simulator.scenario.yaml.YamlValue.Entries;
import io.tierwise.simulator.scenario.yaml.YamlValue.Items;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Keys may be written with underscores; names that a user gives stay as they are. */
final class KeySpelling {
  /** Mappings whose keys are names. */
  private static final Set<String> NAMED = Set.of("devices", "nodes");

  private KeySpelling() {}

  static String canonical(String key) {
    return key.replace('_', '-');
  }

  /** The path with its keys in kebab case. */
  static List<String> canonical(List<String> path) {
    List<String> spelt = new ArrayList<>();
    for (String step : path) {
      boolean name = spelt.size() == 1 && NAMED.contains(spelt.get(0));
      spelt.add(name ? step : canonical(step));
    }
    return spelt;
  }

  /** The document with its keys in kebab case. */
  static YamlValue of(YamlValue document) {
    return of(document, 0, false);
  }

  /** A value that stands at {@code path}. */
  static YamlValue of(YamlValue value, List<String> path) {
    return of(value, path.size(), path.size() == 1 && NAMED.contains(path.get(0)));
  }

  private static YamlValue of(YamlValue value, int depth, boolean names) {
    if (value instanceof Items list) {
      return new Items(
          list.origin(), list.items().stream().map(item -> of(item, depth + 1, false)).toList());
    }
    if (!(value instanceof Entries mapping)) {
      return value;
    }
    Map<String, YamlValue> spelt = new LinkedHashMap<>();
    for (Map.Entry<String, YamlValue> entry : mapping.entries().entrySet()) {
      String key = names ? entry.getKey() : canonical(entry.getKey());
      boolean named = depth == 0 && NAMED.contains(key);
      YamlValue before = spelt.put(key, of(entry.getValue(), depth + 1, named));
      if (before != null) {
        throw new ScenarioException(
            entry.getValue().origin() + ": the key " + key + " stands twice, once with _");
      }
    }
    return new Entries(mapping.origin(), spelt);
  }
}
