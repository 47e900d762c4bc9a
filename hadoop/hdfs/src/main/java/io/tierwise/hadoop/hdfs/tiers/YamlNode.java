package io.tierwise.hadoop.hdfs.tiers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A value in a YAML document together with its place, so that an error can name it. */
record YamlNode(String place, Object value) {

  TierFileException error(String problem) {
    return new TierFileException(place + ": " + problem);
  }

  /** The node as a mapping that has no other keys than the known ones. */
  Map<String, YamlNode> mapping(Set<String> known) {
    Map<String, YamlNode> all = anyMapping();
    for (Map.Entry<String, YamlNode> entry : all.entrySet()) {
      if (!known.contains(entry.getKey())) {
        throw entry
            .getValue()
            .error(
                "unknown key; allowed here: "
                    + String.join(", ", known.stream().sorted().toList()));
      }
    }
    return all;
  }

  Map<String, YamlNode> anyMapping() {
    if (!(value instanceof Map<?, ?> map)) {
      throw error("must be a mapping, is " + shown());
    }
    Map<String, YamlNode> nodes = new LinkedHashMap<>();
    map.forEach(
        (key, entry) -> nodes.put(String.valueOf(key), new YamlNode(place + "." + key, entry)));
    return nodes;
  }

  /** The node as a list; a single value counts as a list of one. */
  List<YamlNode> list() {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list)) {
      return List.of(this);
    }
    List<YamlNode> nodes = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      nodes.add(new YamlNode(place + "[" + i + "]", list.get(i)));
    }
    return nodes;
  }

  String text() {
    if (value == null || value instanceof Map || value instanceof List) {
      throw error("must be a text, is " + shown());
    }
    String text = String.valueOf(value).trim();
    if (text.isEmpty()) {
      throw error("must not be empty");
    }
    return text;
  }

  List<String> texts() {
    return list().stream().map(YamlNode::text).toList();
  }

  double positiveNumber() {
    if (value instanceof Number number
        && number.doubleValue() > 0
        && Double.isFinite(number.doubleValue())) {
      return number.doubleValue();
    }
    throw error("must be a number above 0, is " + shown());
  }

  double numberFromZero() {
    return value instanceof Number number && number.doubleValue() == 0 ? 0 : positiveNumber();
  }

  int wholeNumber() {
    if (value instanceof Integer number && number >= 0) {
      return number;
    }
    throw error("must be a whole number from 0, is " + shown());
  }

  String shown() {
    if (value == null) {
      return "missing";
    }
    if (value instanceof Map) {
      return "a mapping";
    }
    if (value instanceof List) {
      return "a list";
    }
    return "\"" + value + "\"";
  }
}
