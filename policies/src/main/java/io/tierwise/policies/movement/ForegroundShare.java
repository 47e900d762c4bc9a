package io.tierwise.policies.movement;

import io.tierwise.core.view.LoadView;

/**
 * The share of its limits that a node's moves keep beside what else the node serves.
 *
 * <p>s = min(1, max(1/10, b / f), max(1/10, c / g)): f transfers that the node serves for others, g
 * the bytes a second of map output that it sends to reducers, b and c their bounds.
 *
 * <p>f = t - m: t transfers that the node told in its last heartbeat, m moves that a node may make
 * at once, since they are among them: so that moves never yield to each other.
 *
 * <p>Source: DerbyhatS, 6.1.8: rearranging data is "a low priority background process that yields
 * to the shuffle phase". Own: the law. A node that serves twice the bound makes moves at half its
 * rate, and half as many at once; the tenth is kept so that data of a cluster that is never idle
 * gets where it should be. Deviation: a shuffle is seen where it is sent, not where it is fetched.
 *
 * @param bound transfers; 0 for moves that yield to none
 * @param movesPerNode at once
 * @param shuffleBound bytes a second; 0 for moves that yield to no shuffle
 */
record ForegroundShare(int bound, int movesPerNode, long shuffleBound) {
  static final double SHARE_MIN = 0.1;

  /** Own: ten of HDFS's heartbeats; a report that is older says nothing about now. */
  static final long AGE_MILLIS_MAX = 30_000;

  static ForegroundShare of(MovementLimits limits) {
    return new ForegroundShare(
        limits.yieldAbove(), limits.movesPerNode(), limits.yieldAboveShuffleBytesPerSecond());
  }

  double of(LoadView load, int node) {
    boolean told = load.ageMillis(node) <= AGE_MILLIS_MAX;
    double beside = told ? share(bound, load.transfers(node) - movesPerNode) : 1;
    return Math.min(beside, share(shuffleBound, load.shuffleBytesPerSecond(node)));
  }

  private static double share(long bound, double served) {
    return bound == 0 || !(served > bound) ? 1 : Math.max(SHARE_MIN, bound / served);
  }
}
