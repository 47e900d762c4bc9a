package io.tierwise.hadoop.hdfs.tiers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A value in a YAML document together with its place, so that an error can name it.
 *
 * @param source of the document
 * @param line of the document, from 1
 * @param place in the document, such as {@code tiers[1].name}; empty for all of it
 * @param written what the value was read from
 */
record YamlNode(String source, int line, String place, Object value, Node written) {
  /**
   * All of a document.
   *
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException when it is not YAML
   */
  static YamlNode document(String source, String yaml) {
    LoadSettings settings = LoadSettings.builder().setLabel(source).build();
    Object value = new Load(settings).loadFromString(yaml);
    Node written = new Compose(settings).composeString(yaml).orElse(null);
    return new YamlNode(source, 1, "", value, written);
  }

  TierFileException error(String problem) {
    String where = place.isEmpty() ? "" : place + ": ";
    return new TierFileException(source + ":" + line + ": " + where + problem);
  }

  private static int lineOf(Node written) {
    return written.getStartMark().map(Mark::getLine).orElse(0) + 1;
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
    String before = place.isEmpty() ? "" : place + ".";
    List<NodeTuple> tuples = ((MappingNode) written).getValue();
    int next = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      NodeTuple tuple = tuples.get(next++);
      String key = String.valueOf(entry.getKey());
      nodes.put(
          key,
          new YamlNode(
              source,
              lineOf(tuple.getKeyNode()),
              before + key,
              entry.getValue(),
              tuple.getValueNode()));
    }
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
    List<Node> items = ((SequenceNode) written).getValue();
    for (int i = 0; i < list.size(); i++) {
      Node item = items.get(i);
      nodes.add(new YamlNode(source, lineOf(item), place + "[" + i + "]", list.get(i), item));
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
