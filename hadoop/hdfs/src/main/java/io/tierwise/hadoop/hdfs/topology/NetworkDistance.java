package io.tierwise.hadoop.hdfs.topology;

/** Hops between nodes of HDFS's tree of network locations. */
public final class NetworkDistance {
  /** Two processes of one node. */
  public static final int LOCAL = 0;

  /** Two nodes of one rack. */
  public static final int SAME_RACK = 2;

  /** Two nodes of racks below one parent. */
  public static final int NEXT_RACK = 4;

  /** Assumed when a side's location is unknown: another rack, the common case. */
  public static final int UNKNOWN = NEXT_RACK;

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
    // Nearly always so; this spares a look at each letter.
    int name = rack.lastIndexOf('/');
    boolean siblings =
        name >= 0
            && name == otherRack.lastIndexOf('/')
            && rack.regionMatches(0, otherRack, 0, name)
            && rack.length() > name + 1
            && otherRack.length() > name + 1;
    return siblings ? NEXT_RACK : overParents(rack, otherRack);
  }

  private static int overParents(String rack, String otherRack) {
    int length = Math.min(rack.length(), otherRack.length());
    int parent = 0;
    int i = 0;
    for (; i < length && rack.charAt(i) == otherRack.charAt(i); i++) {
      if (rack.charAt(i) == '/') {
        parent = i;
      }
    }
    boolean wholeName =
        (i == rack.length() || rack.charAt(i) == '/')
            && (i == otherRack.length() || otherRack.charAt(i) == '/');
    int from = wholeName ? i : parent;
    return SAME_RACK + levels(rack, from) + levels(otherRack, from);
  }

  /** Names from there on; a slash at the end begins none. */
  private static int levels(String location, int from) {
    int count = 0;
    for (int i = from; i + 1 < location.length(); i++) {
      if (location.charAt(i) == '/') {
        count++;
      }
    }
    return count;
  }
}
