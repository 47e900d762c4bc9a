package io.tierwise.hadoop.hdfs.topology;

/** Hops between nodes of HDFS's tree of network locations. */
public final class NetworkDistance {
  /** Two processes of one node. */
  public static final int LOCAL = 0;

  /** Two nodes of one rack. */
  public static final int SAME_RACK = 2;

  /** What is assumed when a side's location is unknown: another rack, the common case. */
  public static final int UNKNOWN = 4;

  private NetworkDistance() {}

  /**
   * Hops between two different nodes, given their racks: 2 within a rack, 4 between racks below one
   * parent, and 2 more for each level above.
   *
   * @param rack a network location such as {@code /region1/rack2}, or null when unknown
   * @param otherRack likewise
   */
  public static int betweenNodes(String rack, String otherRack) {
    if (rack == null || otherRack == null) {
      return UNKNOWN;
    }
    if (rack.equals(otherRack)) {
      return SAME_RACK;
    }
    int shared = sharedLevels(rack, otherRack);
    return SAME_RACK + (levels(rack) - shared) + (levels(otherRack) - shared);
  }

  private static int levels(String location) {
    int count = 0;
    for (int i = 0; i < location.length(); i++) {
      if (location.charAt(i) == '/' && i + 1 < location.length()) {
        count++;
      }
    }
    return count;
  }

  private static int sharedLevels(String a, String b) {
    int shared = 0;
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length && a.charAt(i) == b.charAt(i); i++) {
      boolean endsInA = i + 1 == a.length() || a.charAt(i + 1) == '/';
      boolean endsInB = i + 1 == b.length() || b.charAt(i + 1) == '/';
      if (endsInA && endsInB && i > 0) {
        shared++;
      }
    }
    return shared;
  }
}
