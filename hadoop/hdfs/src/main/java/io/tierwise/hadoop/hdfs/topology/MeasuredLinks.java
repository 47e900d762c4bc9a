package io.tierwise.hadoop.hdfs.topology;

import java.util.HashMap;
import java.util.Map;

/**
 * The shares of nodes' link speeds that are left, as others report them, and how old the reports
 * are. For one thread.
 *
 * <p>A report that says the same again and again tells nothing new: the logarithm of what it says
 * counts half after each half-life, so that a node that is mended, and of which nobody reports
 * otherwise, is read again.
 */
public final class MeasuredLinks {
  /** Own: the interval in which DataNodes report by default. */
  static final long HALF_LIFE_MILLIS = 30 * 60_000L;

  /** Own: a slower node comes last in any case. */
  static final double SHARE_MIN = 0.02;

  /** Own: a node from this share of its usual speed on counts as usual. */
  private static final double USUAL_SHARE = 0.9;

  private final Map<String, Said> said = new HashMap<>();

  private record Said(double share, long sinceMillis) {}

  /**
   * @param reported by a node's UUID the share of its usual speed, 0 to 1
   * @param nowMillis monotonic time
   * @return by UUID what counts now; nodes that nobody reports are not in it
   */
  public Map<String, Double> after(Map<String, Double> reported, long nowMillis) {
    said.keySet().retainAll(reported.keySet());
    Map<String, Double> shares = new HashMap<>();
    reported.forEach(
        (node, share) -> {
          Said before = said.get(node);
          if (before == null || before.share() != share) {
            before = new Said(share, nowMillis);
            said.put(node, before);
          }
          double left = left(before, nowMillis);
          if (left < USUAL_SHARE) {
            shares.put(node, left);
          }
        });
    return Map.copyOf(shares);
  }

  private static double left(Said report, long nowMillis) {
    double share = Math.max(SHARE_MIN, Math.min(1, report.share()));
    double age = Math.max(0, nowMillis - report.sinceMillis());
    return Math.pow(share, Math.pow(0.5, age / HALF_LIFE_MILLIS));
  }
}
