package io.tierwise.hadoop.hdfs.tiers;

import java.util.List;

/**
 * The speeds of links, as far as the administrator told them: those of nodes, and those by which
 * racks hang together. The first entry that matches holds.
 *
 * @param nodes each way
 * @param uplinks of racks, each way
 */
public record LinkTable(List<Link> nodes, List<Link> uplinks) {
  /** Nothing is known. */
  public static final LinkTable EMPTY = new LinkTable(List.of(), List.of());

  public LinkTable {
    nodes = List.copyOf(nodes);
    uplinks = List.copyOf(uplinks);
  }

  /**
   * Links of one speed.
   *
   * @param racks patterns of network locations; empty for all
   * @param hosts patterns of host names or addresses; empty for all
   */
  public record Link(List<String> racks, List<String> hosts, double bytesPerSecond) {
    public Link {
      racks = List.copyOf(racks);
      hosts = List.copyOf(hosts);
    }

    private boolean accepts(String rack, String host, String address) {
      return TierMatch.anyMatches(racks, rack)
          && (TierMatch.anyMatches(hosts, host) || TierMatch.anyMatches(hosts, address));
    }
  }

  public boolean isEmpty() {
    return nodes.isEmpty() && uplinks.isEmpty();
  }

  /** Bytes per second of a node's link; NaN when nobody said. */
  public double nodeBytesPerSecond(String rack, String host, String address) {
    return first(nodes, rack, host, address);
  }

  /** Bytes per second between a rack and the others; NaN when nobody said. */
  public double uplinkBytesPerSecond(String rack) {
    return first(uplinks, rack, null, null);
  }

  private static double first(List<Link> links, String rack, String host, String address) {
    for (Link link : links) {
      if (link.accepts(rack, host, address)) {
        return link.bytesPerSecond();
      }
    }
    return Double.NaN;
  }
}
