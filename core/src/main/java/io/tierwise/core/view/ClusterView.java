package io.tierwise.core.view;

import io.tierwise.core.cluster.TierTable;

/**
 * The cluster as a placement policy sees it: regions, racks, nodes, stores and volumes by small
 * integer ids, all from 0.
 *
 * <p>A <em>store</em> is the volumes of one tier on one node (what hatS runs a DataNode for). Store
 * ids are sorted by tier, then by rack, and racks are sorted by region, so that a <em>cell</em>
 * (the stores of one tier in one rack) is the id range {@code [cellStart(tier, rack),
 * cellStart(tier, rack + 1))}; the same holds for a tier in a region or in the whole cluster. A
 * policy samples an id in a range, asks {@link #check}, and tries again when refused: the cost of a
 * decision does not grow with the cluster.
 *
 * <p>Ranges hold the stores that could take a block when the view was made; {@link #check} answers
 * for this instant. A view is safe to read from many threads; its structure never changes (a host
 * makes a new view), its answers to {@link #check} do.
 */
public interface ClusterView {
  /** Stands for "no such id". */
  int NONE = -1;

  TierTable tiers();

  int regionCount();

  int rackCount();

  int nodeCount();

  int storeCount();

  int volumeCount();

  /** First rack of {@code region}; {@code rackStart(regionCount())} is {@link #rackCount()}. */
  int rackStart(int region);

  int regionOfRack(int rack);

  int rackOfNode(int node);

  /**
   * First store id of the cell (tier, rack). {@code rack} may be {@link #rackCount()}: then the end
   * of the tier's last cell.
   */
  int cellStart(int tier, int rack);

  int nodeOfStore(int store);

  int tierOfStore(int store);

  /**
   * The store that {@code node} has of {@code tier}, or {@link #NONE}. Only stores that stand in
   * cells.
   */
  int storeOfNode(int node, int tier);

  /**
   * Picks the volume of {@code store} that should take {@code bytes}, or {@link #NONE} when none
   * has room. {@code draw} is a random non-negative number that the host may use to choose among
   * several.
   */
  int volumeIn(int store, long bytes, int draw);

  int nodeOfVolume(int volume);

  /** The volume's tier, or {@link TierTable#NONE} when no tier matches it. */
  int tierOfVolume(int volume);

  /**
   * Whether the node of {@code store} may take a block of {@code bytes} there now, and if not, why.
   * How busy a node may be depends on the tier: it is compared with others that have the tier.
   */
  Refusal check(int store, long bytes);

  /** Why volumes of {@code tier} stand in no cell, counted by volume; none are when all do. */
  RefusalCounts absences(int tier);

  /**
   * Whether two nodes are in one failure domain besides their rack, such as an upgrade domain of
   * HDFS: what takes one of them away takes the other.
   */
  default boolean shareDomain(int node, int other) {
    return node == other;
  }

  /** In how many different domains the replicas of a block must stand; 0 when there are none. */
  default int domainsMin() {
    return 0;
  }

  /** The node's name for people, for example its host name. */
  String nodeName(int node);

  String rackName(int rack);

  String regionName(int region);

  /** The volume's name for people, for example its storage id. */
  String volumeName(int volume);

  /** Tier and node of a volume, for people. */
  default String volumeText(int volume) {
    int tier = tierOfVolume(volume);
    String name = tier == TierTable.NONE ? "no tier" : tiers().tier(tier).name();
    return name + "@" + nodeName(nodeOfVolume(volume));
  }
}
