package io.tierwise.hadoop.hdfs.tiers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.CollectionNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Changes the text of a tier table where figures stand, so that comments, order and style stay as
 * their author wrote them. Whether the changed text says what it should is checked by the caller.
 */
final class TierFileText {
  private static final String CLASS = "class";

  /** Replaces the code points from an index up to another one. */
  private record Edit(int from, int to, String text) {}

  private final String yaml;
  private final List<Edit> edits = new ArrayList<>();

  private TierFileText(String yaml) {
    this.yaml = yaml;
  }

  /** The text with these figures, written as YAML scalars, in the class of that tier. */
  static String withClass(String yaml, String tierName, Map<String, String> figures) {
    TierFileText text = new TierFileText(yaml);
    text.setClass(text.tier(tierName), figures);
    return text.edited();
  }

  /** The text with another list under a key of the table itself; what stood there is gone. */
  static String withList(String yaml, String key, List<String> entries) {
    TierFileText text = new TierFileText(yaml);
    text.setList(key, entries);
    return text.edited();
  }

  private void setList(String key, List<String> entries) {
    if (!(root() instanceof MappingNode top) || top.getFlowStyle() == FlowStyle.FLOW) {
      throw new TierFileException(
          "a table in one pair of braces cannot be changed: write its keys on lines of their own");
    }
    String list = entries.stream().map(entry -> "\n  - " + entry).collect(Collectors.joining());
    Node old = valueOf(top, key);
    if (old != null) {
      // Behind the key's colon, with what may stand between it and a list in brackets.
      int from = end(keyNode(top, key)) + 1;
      edits.add(new Edit(from, endOfText(old), list));
    } else {
      int at = endOfLine(endOfText(top));
      edits.add(new Edit(at, at, "\n" + key + ":" + list));
    }
  }

  private Node root() {
    return new Compose(LoadSettings.builder().build())
        .composeString(yaml)
        .orElseThrow(() -> new TierFileException("the tier table is empty"));
  }

  private MappingNode tier(String name) {
    if (root() instanceof MappingNode top && valueOf(top, "tiers") instanceof SequenceNode tiers) {
      for (Node each : tiers.getValue()) {
        if (each instanceof MappingNode tier
            && valueOf(tier, "name") instanceof ScalarNode found
            && found.getValue().equals(name)) {
          return tier;
        }
      }
    }
    throw new TierFileException("unknown tier \"" + name + "\"");
  }

  private static Node valueOf(MappingNode map, String key) {
    for (NodeTuple entry : map.getValue()) {
      if (entry.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key)) {
        return entry.getValueNode();
      }
    }
    return null;
  }

  private static Node keyNode(MappingNode map, String key) {
    return map.getValue().stream()
        .map(NodeTuple::getKeyNode)
        .filter(node -> node instanceof ScalarNode name && name.getValue().equals(key))
        .findFirst()
        .orElseThrow();
  }

  private void setClass(MappingNode tier, Map<String, String> figures) {
    Node old = valueOf(tier, CLASS);
    if (old instanceof MappingNode map) {
      List<String> missing = new ArrayList<>();
      figures.forEach(
          (key, value) -> {
            Node figure = valueOf(map, key);
            if (figure == null) {
              missing.add(key + ": " + value);
            } else {
              edits.add(new Edit(start(figure), end(figure), value));
            }
          });
      add(map, missing);
    } else if (old == null) {
      add(tier, List.of(CLASS + ": " + flow(figures)));
    } else {
      String gap = start(old) == end(old) ? " " : "";
      edits.add(new Edit(start(old), end(old), gap + flow(figures)));
    }
  }

  private static String flow(Map<String, String> figures) {
    return figures.entrySet().stream()
        .map(figure -> figure.getKey() + ": " + figure.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  /** Adds entries behind the last one, in the style that the mapping has. */
  private void add(MappingNode map, List<String> entries) {
    if (entries.isEmpty()) {
      return;
    }
    if (map.getFlowStyle() == FlowStyle.FLOW) {
      boolean first = map.getValue().isEmpty();
      int at = first ? start(map) + 1 : end(lastValue(map));
      edits.add(new Edit(at, at, (first ? "" : ", ") + String.join(", ", entries)));
      return;
    }
    int column = map.getValue().get(0).getKeyNode().getStartMark().orElseThrow().getColumn();
    int at = endOfLine(endOfText(map));
    String indent = "\n" + " ".repeat(column);
    edits.add(new Edit(at, at, indent + String.join(indent, entries)));
  }

  private static Node lastValue(MappingNode map) {
    return map.getValue().get(map.getValue().size() - 1).getValueNode();
  }

  /** A block's own end mark stands behind the comments that follow it. */
  private static int endOfText(Node node) {
    boolean block =
        node instanceof CollectionNode<?> collection
            && collection.getFlowStyle() == FlowStyle.BLOCK
            && !collection.getValue().isEmpty();
    if (block && node instanceof MappingNode map) {
      return endOfText(lastValue(map));
    }
    if (block && node instanceof SequenceNode sequence) {
      return endOfText(sequence.getValue().get(sequence.getValue().size() - 1));
    }
    return end(node);
  }

  private int endOfLine(int codePoint) {
    int from = yaml.offsetByCodePoints(0, codePoint);
    int newLine = yaml.indexOf('\n', from);
    int end = newLine < 0 ? yaml.length() : newLine;
    if (end > from && yaml.charAt(end - 1) == '\r') {
      end--;
    }
    return yaml.codePointCount(0, end);
  }

  private static int start(Node node) {
    return node.getStartMark().orElseThrow().getIndex();
  }

  private static int end(Node node) {
    return node.getEndMark().orElseThrow().getIndex();
  }

  private String edited() {
    List<Edit> fromTheEnd = new ArrayList<>(edits);
    fromTheEnd.sort((a, b) -> Integer.compare(b.from(), a.from()));
    StringBuilder text = new StringBuilder(yaml);
    for (Edit edit : fromTheEnd) {
      text.replace(
          yaml.offsetByCodePoints(0, edit.from()),
          yaml.offsetByCodePoints(0, edit.to()),
          edit.text());
    }
    return text.toString();
  }
}
