package io.tierwise.profiles.popularity;

import io.tierwise.policies.popularity.DecisionTrees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text that XGBoost writes of its trees, {@code 0:[f2<1.5] yes=1,no=2,missing=1} and
 * {@code 1:leaf=-0.5}, whose nodes have numbers in any order. Numbers are written so that reading
 * gives the same float. What {@code missing} names is left out: no number of a row is missing.
 */
final class TreeDump {
  private static final Pattern BRANCH =
      Pattern.compile("(\\d+):\\[f(\\d+)<([^\\]]+)\\] yes=(\\d+),no=(\\d+).*");
  private static final Pattern LEAF = Pattern.compile("(\\d+):leaf=([^,]+).*");

  /** One line: of a leaf the feature is -1 and the number is what it adds. */
  private record Line(int feature, float number, int left, int right) {
    private boolean isLeaf() {
      return feature < 0;
    }
  }

  private TreeDump() {}

  /** The trees, each node before its children. */
  static DecisionTrees trees(String[] dumps, double windowSeconds) {
    DecisionTrees.Nodes nodes = new DecisionTrees.Nodes();
    for (String dump : dumps) {
      nodes.beginTree();
      add(lines(dump), nodes);
    }
    return nodes.trees(windowSeconds);
  }

  private static Map<Integer, Line> lines(String dump) {
    Map<Integer, Line> lines = new HashMap<>();
    for (String text : dump.lines().map(String::strip).toList()) {
      Matcher branch = BRANCH.matcher(text);
      Matcher leaf = LEAF.matcher(text);
      if (branch.matches()) {
        lines.put(
            Integer.valueOf(branch.group(1)),
            new Line(
                Integer.parseInt(branch.group(2)),
                Float.parseFloat(branch.group(3)),
                Integer.parseInt(branch.group(4)),
                Integer.parseInt(branch.group(5))));
      } else if (leaf.matches()) {
        lines.put(
            Integer.valueOf(leaf.group(1)), new Line(-1, Float.parseFloat(leaf.group(2)), 0, 0));
      } else {
        throw new IllegalStateException("XGBoost writes a tree in another way: " + text);
      }
    }
    return lines;
  }

  /** Level by level from the root. */
  private static void add(Map<Integer, Line> lines, DecisionTrees.Nodes nodes) {
    List<Line> order = new ArrayList<>(List.of(lines.get(0)));
    for (int at = 0; at < order.size(); at++) {
      Line line = order.get(at);
      if (line.isLeaf()) {
        nodes.leaf(line.number());
      } else {
        nodes.branch(line.feature(), line.number(), order.size(), order.size() + 1);
        order.add(lines.get(line.left()));
        order.add(lines.get(line.right()));
      }
    }
  }
}
