package io.tierwise.policies.popularity;

import io.tierwise.policies.text.SpecReader;
import java.util.List;

/**
 * Trees as text, a node a line: a heading with the format's number, the length of the windows, the
 * names of the features, the trees, and a last line by which a file that was cut is known.
 *
 * <pre>
 * tierwise-trees 1
 * window-seconds 3600.0
 * features blocks age-seconds ...
 * tree
 * branch 2 1.5 1 2
 * leaf -0.5
 * leaf 0.25
 * end 1
 * </pre>
 */
public final class TreeText {
  private static final String HEADING = "tierwise-trees";
  private static final int FORMAT = 1;
  private static final String WINDOW = "window-seconds";
  private static final String FEATURES = "features";
  private static final String TREE = "tree";
  private static final String BRANCH = "branch";
  private static final String LEAF = "leaf";
  private static final String END = "end";

  private final String name;
  private final List<String> lines;
  private int next;

  private TreeText(String text, String name) {
    this.name = name;
    // Of a text with too many lines the rest is not worth its memory.
    lines = text.lines().limit(DecisionTrees.NODES_MAX + 1L).toList();
  }

  /** The text of these trees. */
  public static String of(DecisionTrees trees) {
    StringBuilder text = new StringBuilder();
    text.append(HEADING).append(' ').append(FORMAT).append('\n');
    text.append(WINDOW).append(' ').append(trees.windowSeconds()).append('\n');
    text.append(features()).append('\n');
    int tree = 0;
    for (int node = 0; node < trees.features.length; node++) {
      if (tree < trees.roots.length && trees.roots[tree] == node) {
        text.append(TREE).append('\n');
        tree++;
      }
      float value = trees.values[node];
      if (trees.features[node] == DecisionTrees.LEAF) {
        text.append(LEAF).append(' ').append(value).append('\n');
      } else {
        text.append(BRANCH).append(' ').append(trees.features[node]).append(' ').append(value);
        text.append(' ').append(trees.lefts[node]);
        text.append(' ').append(trees.rights[node]).append('\n');
      }
    }
    return text.append(END).append(' ').append(tree).append('\n').toString();
  }

  private static String features() {
    return FEATURES + " " + String.join(" ", UseFeatures.names());
  }

  /**
   * Reads trees.
   *
   * @param name of the text, for messages
   * @throws IllegalArgumentException one line that names the text, the line and what is wrong
   */
  public static DecisionTrees parse(String text, String name) {
    return new TreeText(text, name).trees();
  }

  private DecisionTrees trees() {
    String[] heading = words(HEADING, 1);
    if (integer(heading[1]) != FORMAT) {
      throw refusal(
          "format "
              + SpecReader.quoted(heading[1])
              + "; this version reads format "
              + FORMAT
              + ": fit the trees again with this version");
    }
    float windowSeconds = number(words(WINDOW, 1)[1]);
    if (!(windowSeconds > 0 && Float.isFinite(windowSeconds))) {
      throw refusal("a window has a length above 0");
    }
    if (!line().equals(features())) {
      throw refusal("other features than this version tells: fit the trees again with it");
    }
    DecisionTrees.Nodes nodes = new DecisionTrees.Nodes();
    int count = 0;
    while (true) {
      String[] words = line().split(" ", -1);
      if (words[0].equals(END)) {
        return finished(words, count, nodes, windowSeconds);
      }
      if (next > DecisionTrees.NODES_MAX) {
        throw refusal("more than " + DecisionTrees.NODES_MAX + " lines");
      }
      if (words[0].equals(TREE) && words.length == 1) {
        nodes.beginTree();
        count++;
      } else if (words[0].equals(LEAF) && words.length == 2) {
        nodes.leaf(number(words[1]));
      } else if (words[0].equals(BRANCH) && words.length == 5) {
        branch(words, nodes);
      } else {
        throw refusal(SpecReader.quoted(lines.get(next - 1)) + " is no tree, branch, leaf or end");
      }
    }
  }

  private void branch(String[] words, DecisionTrees.Nodes nodes) {
    int feature = integer(words[1]);
    float threshold = number(words[2]);
    int left = integer(words[3]);
    int right = integer(words[4]);
    try {
      nodes.branch(feature, threshold, left, right);
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage());
    }
  }

  private DecisionTrees finished(
      String[] words, int count, DecisionTrees.Nodes nodes, float windowSeconds) {
    if (words.length != 2 || integer(words[1]) != count || next < lines.size()) {
      throw refusal("the end says other than the " + count + " trees before it, or is none");
    }
    try {
      return nodes.trees(windowSeconds);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private String line() {
    if (next == lines.size()) {
      throw new IllegalArgumentException(
          name + " ends after line " + next + ", before its end: it was cut, or is no trees");
    }
    return lines.get(next++);
  }

  private String[] words(String first, int values) {
    String[] words = line().split(" ", -1);
    if (!words[0].equals(first) || words.length != 1 + values) {
      throw refusal(SpecReader.quoted(lines.get(next - 1)) + "; expected: " + first);
    }
    return words;
  }

  private int integer(String word) {
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException e) {
      throw refusal(SpecReader.quoted(word) + " is no whole number");
    }
  }

  private float number(String word) {
    try {
      return Float.parseFloat(word);
    } catch (NumberFormatException e) {
      throw refusal(SpecReader.quoted(word) + " is no number");
    }
  }

  private IllegalArgumentException refusal(String reason) {
    return new IllegalArgumentException(name + ", line " + next + ": " + reason);
  }
}
