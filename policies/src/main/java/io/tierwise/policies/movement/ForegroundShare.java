package io.tierwise.policies.movement;

import io.tierwise.core.view.LoadView;

/**
 * The share of its limits that a node's moves keep beside what else the node serves.
 *
 * <p>s = min(1, max(1/10, b / f)): f transfers that the node serves for others, b the bound.
 *
 * <p>f = t - m: t transfers that the node told in its last heartbeat, m moves that a node may make
 * at once, since they are among them: so that moves never yield to each other.
 *
 * <p>Source: DerbyhatS, 6.1.8: rearranging data is "a low priority background process that yields
 * to the shuffle phase". Own: the law. A node that serves twice the bound makes moves at half its
 * rate, and half as many at once; the tenth is kept so that data of a cluster that is never idle
 * gets where it should be. Deviation: a shuffle is seen only where nodes serve blocks to it.
 *
 * @param bound transfers; 0 for moves that yield to nothing
 * @param movesPerNode at once
 */
record ForegroundShare(int bound, int movesPerNode) {
  private static final double SHARE_MIN = 0.1;

  /** Own: ten of HDFS's heartbeats; a report that is older says nothing about now. */
  static final long AGE_MILLIS_MAX = 30_000;

  double of(LoadView load, int node) {
    if (bound == 0 || load.ageMillis(node) > AGE_MILLIS_MAX) {
      return 1;
    }
    int others = load.transfers(node) - movesPerNode;
    return others <= bound ? 1 : Math.max(SHARE_MIN, (double) bound / others);
  }
}
