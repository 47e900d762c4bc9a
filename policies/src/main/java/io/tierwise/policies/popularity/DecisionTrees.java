package io.tierwise.policies.popularity;

import java.util.Arrays;
import java.util.Optional;

/**
 * Trees that were fitted somewhere else, as flat arrays: each says how much it adds to a file's
 * popularity. Nothing is allocated to ask them, and they can be shared by threads.
 *
 * <p>A node is a branch, which goes left where a feature is below its threshold and right where it
 * is not, or a leaf. Children have higher numbers than their branch, so that no walk goes round in
 * circles.
 */
public final class DecisionTrees {
  /** Nothing was learned yet: all files are alike. */
  public static final DecisionTrees NONE = new DecisionTrees(0, new Nodes());

  /** Own: a hundred times what is fitted here; what is larger is not ours. */
  static final int NODES_MAX = 1 << 17;

  /** The feature of a leaf. */
  static final int LEAF = -1;

  private final double windowSeconds;

  /** The first node of each tree. */
  final int[] roots;

  /** Of each branch the place in a row. */
  final int[] features;

  /** Of each branch its threshold, of each leaf what it adds. */
  final float[] values;

  /** Children, counted from the root of their tree. */
  final int[] lefts;

  final int[] rights;

  private DecisionTrees(double windowSeconds, Nodes nodes) {
    this.windowSeconds = windowSeconds;
    roots = Arrays.copyOf(nodes.roots, nodes.treeCount);
    features = Arrays.copyOf(nodes.features, nodes.count);
    values = Arrays.copyOf(nodes.values, nodes.count);
    lefts = Arrays.copyOf(nodes.lefts, nodes.count);
    rights = Arrays.copyOf(nodes.rights, nodes.count);
  }

  /** Nodes that become trees, one after the other. */
  public static final class Nodes {
    private int[] roots = new int[16];
    private int[] features = new int[64];
    private float[] values = new float[64];
    private int[] lefts = new int[64];
    private int[] rights = new int[64];
    private int treeCount;
    private int count;

    /** The next node is the root of another tree. */
    public void beginTree() {
      if (treeCount == roots.length) {
        roots = Arrays.copyOf(roots, 2 * treeCount);
      }
      roots[treeCount++] = count;
    }

    /**
     * Adds a branch.
     *
     * @param feature a place in a row of {@link UseFeatures}
     * @param left child where the feature is below the threshold, counted from the tree's root
     * @param right child where it is not, likewise
     * @throws IllegalArgumentException one line: there is no such feature
     */
    public void branch(int feature, float threshold, int left, int right) {
      if (feature < 0 || feature >= UseFeatures.count()) {
        throw new IllegalArgumentException(
            "feature " + feature + "; 0 to " + (UseFeatures.count() - 1) + " are there");
      }
      add(feature, threshold);
      lefts[count - 1] = left;
      rights[count - 1] = right;
    }

    /** Adds a leaf. */
    public void leaf(float value) {
      add(LEAF, value);
    }

    private void add(int feature, float value) {
      if (count == features.length) {
        features = Arrays.copyOf(features, 2 * count);
        values = Arrays.copyOf(values, 2 * count);
        lefts = Arrays.copyOf(lefts, 2 * count);
        rights = Arrays.copyOf(rights, 2 * count);
      }
      features[count] = feature;
      values[count++] = value;
    }

    /**
     * The trees.
     *
     * @param windowSeconds length of the windows that they were fitted to
     * @throws IllegalArgumentException one line that says which node is wrong
     */
    public DecisionTrees trees(double windowSeconds) {
      firstWrong()
          .ifPresent(
              wrong -> {
                throw new IllegalArgumentException(wrong);
              });
      return new DecisionTrees(windowSeconds, this);
    }

    private int end(int tree) {
      return tree + 1 < treeCount ? roots[tree + 1] : count;
    }

    private Optional<String> firstWrong() {
      if (count > NODES_MAX) {
        return Optional.of(count + " nodes; at most " + NODES_MAX + " are allowed");
      }
      if (count > 0 && (treeCount == 0 || roots[0] > 0)) {
        return Optional.of("a node stands before the first tree");
      }
      for (int tree = 0; tree < treeCount; tree++) {
        int nodes = end(tree) - roots[tree];
        if (nodes == 0) {
          return Optional.of("tree " + tree + " has no node");
        }
        for (int node = 0; node < nodes; node++) {
          Optional<String> wrong = wrong(roots[tree] + node, node, nodes);
          if (wrong.isPresent()) {
            return Optional.of("tree " + tree + ", node " + node + ": " + wrong.get());
          }
        }
      }
      return Optional.empty();
    }

    private Optional<String> wrong(int at, int node, int nodes) {
      if (!Float.isFinite(values[at])) {
        return Optional.of(values[at] + " is no number to compare or to add");
      }
      if (features[at] == LEAF) {
        return Optional.empty();
      }
      for (int child : new int[] {lefts[at], rights[at]}) {
        if (child <= node || child >= nodes) {
          return Optional.of(
              "child "
                  + child
                  + "; children come after their branch, and the tree has "
                  + nodes
                  + " nodes");
        }
      }
      return Optional.empty();
    }
  }

  /**
   * The sum of what all trees say of a row.
   *
   * @param row of {@link UseFeatures}
   * @param at where it begins
   */
  public double score(float[] row, int at) {
    double sum = 0;
    for (int root : roots) {
      int node = root;
      int feature = features[node];
      while (feature != LEAF) {
        node = root + (row[at + feature] < values[node] ? lefts[node] : rights[node]);
        feature = features[node];
      }
      sum += values[node];
    }
    return sum;
  }

  /** Number of trees. */
  public int count() {
    return roots.length;
  }

  /** Length of the windows that they were fitted to; 0 where there is no tree. */
  public double windowSeconds() {
    return windowSeconds;
  }
}
