package io.tierwise.policies.popularity;

import java.util.SplittableRandom;

/** Trees that nobody fitted. */
final class Trees {
  static final int BLOCKS = feature("blocks");
  static final int READS = feature("reads");
  static final int IDLE = feature("idle-seconds");

  private Trees() {}

  static int feature(String name) {
    return UseFeatures.names().indexOf(name);
  }

  /** One tree: more than four reads, or two to four and a last use in the last half hour. */
  static DecisionTrees byHand() {
    DecisionTrees.Nodes nodes = new DecisionTrees.Nodes();
    nodes.beginTree();
    nodes.branch(READS, 4.5f, 1, 2);
    nodes.branch(READS, 1.5f, 3, 4);
    nodes.leaf(2);
    nodes.leaf(-3);
    nodes.branch(IDLE, 1800, 5, 6);
    nodes.leaf(1);
    nodes.leaf(-1);
    return nodes.trees(Uses.HOUR);
  }

  /** Drawn trees that keep to the directions of the features: nothing falls where it may not. */
  static DecisionTrees drawn(int seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    DecisionTrees.Nodes nodes = new DecisionTrees.Nodes();
    int[] directions = UseFeatures.directions();
    for (int tree = 0; tree < count; tree++) {
      int feature = random.nextInt(directions.length);
      float step = random.nextInt(1, 100) / 16f * (directions[feature] < 0 ? -1 : 1);
      nodes.beginTree();
      nodes.branch(feature, random.nextInt(1, 5000), 1, 2);
      nodes.leaf(-step);
      nodes.leaf(step);
    }
    return nodes.trees(Uses.HOUR);
  }
}
