package io.tierwise.experiments.advise;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of the user's own cluster, and holds in the place of what the virtual one has.
 *
 * @param blockBytes of files; 0 where it is not known
 * @param replication of files whose writers do not say; 0 where it is not known
 * @param nodesByRack empty where it is not known
 */
public record ReplaySite(long blockBytes, int replication, Map<String, Integer> nodesByRack) {
  /** Nothing is known. */
  public static final ReplaySite UNKNOWN = new ReplaySite(0, 0, Map.of());

  public ReplaySite {
    nodesByRack = new TreeMap<>(nodesByRack);
  }

  /** Nodes of each rack, in the order of the racks' names. */
  List<Integer> racks() {
    return List.copyOf(nodesByRack.values());
  }
}
