package io.tierwise.experiments.reproduce;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** A YAML file as maps, lists and texts; a wrong shape is one line that names file and key. */
public record YamlTree(String place, Object value) {

  public static YamlTree read(Path file) throws IOException {
    LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
    try {
      return new YamlTree(
          file.toString(), new Load(settings).loadFromString(Files.readString(file)));
    } catch (YamlEngineException e) {
      throw OperatorException.badInput(
          file + ": is not YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
    }
  }

  OperatorException wrong(String problem) {
    return OperatorException.badInput(place + " " + problem);
  }

  /** The entries of a mapping, none when there is nothing. */
  Map<String, YamlTree> entries(Set<String> allowed) {
    Map<String, YamlTree> entries = new LinkedHashMap<>();
    if (value == null) {
      return entries;
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw wrong("must be a mapping");
    }
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = String.valueOf(entry.getKey());
      if (!allowed.isEmpty() && !allowed.contains(key)) {
        throw wrong("has the unknown key " + key + "; allowed: " + String.join(", ", allowed));
      }
      entries.put(key, new YamlTree(place + ": " + key, entry.getValue()));
    }
    return entries;
  }

  /** The items of a list, none when there is nothing. */
  List<YamlTree> items() {
    List<YamlTree> items = new ArrayList<>();
    if (value == null) {
      return items;
    }
    if (!(value instanceof List<?> list)) {
      throw wrong("must be a list");
    }
    for (int i = 0; i < list.size(); i++) {
      items.add(new YamlTree(place + "[" + i + "]", list.get(i)));
    }
    return items;
  }

  boolean isList() {
    return value instanceof List<?>;
  }

  public String text() {
    if (value == null || value instanceof Map<?, ?> || value instanceof List<?>) {
      throw wrong("must be a text or a number");
    }
    return String.valueOf(value);
  }
}
