package io.tierwise.core.view;

import io.tierwise.core.cluster.TierTable;
import java.util.Objects;

/**
 * A cluster in arrays: for hosts that keep no cluster of their own, such as a simulation, a
 * benchmark or a test.
 *
 * <p>Made by an {@link ArrayClusterViewBuilder}. The structure is fixed; free bytes and refusals
 * can be changed at any time by one thread, others then see the change late or at once.
 */
public final class ArrayClusterView implements ClusterView {
  private final TierTable tiers;
  private final int[] rackStarts;
  private final int[] regionOfRack;
  private final int[] rackOfNode;
  private final int[] cellStarts;
  private final int[] nodeOfStore;
  private final int[] tierOfStore;
  private final int[] storeOfNode;
  private final int[] volumeStarts;
  private final int[] volumesOfStores;
  private final int[] nodeOfVolume;
  private final int[] tierOfVolume;
  private final long[] freeBytes;
  private final Refusal[] nodeRefusals;
  private final Refusal[] volumeRefusals;
  private final RefusalCounts[] absences;
  private final String[] regionNames;
  private final String[] rackNames;
  private final String[] nodeNames;
  private final String[] volumeNames;

  ArrayClusterView(ArrayClusterViewBuilder.Arrays arrays) {
    this.tiers = arrays.tiers;
    this.rackStarts = arrays.rackStarts;
    this.regionOfRack = arrays.regionOfRack;
    this.rackOfNode = arrays.rackOfNode;
    this.cellStarts = arrays.cellStarts;
    this.nodeOfStore = arrays.nodeOfStore;
    this.tierOfStore = arrays.tierOfStore;
    this.storeOfNode = arrays.storeOfNode;
    this.volumeStarts = arrays.volumeStarts;
    this.volumesOfStores = arrays.volumesOfStores;
    this.nodeOfVolume = arrays.nodeOfVolume;
    this.tierOfVolume = arrays.tierOfVolume;
    this.freeBytes = arrays.freeBytes;
    this.regionNames = arrays.regionNames;
    this.rackNames = arrays.rackNames;
    this.nodeNames = arrays.nodeNames;
    this.volumeNames = arrays.volumeNames;
    this.nodeRefusals = new Refusal[rackOfNode.length];
    this.volumeRefusals = new Refusal[nodeOfVolume.length];
    java.util.Arrays.fill(nodeRefusals, Refusal.NONE);
    java.util.Arrays.fill(volumeRefusals, Refusal.NONE);
    this.absences = new RefusalCounts[tiers.count()];
    java.util.Arrays.setAll(absences, tier -> new RefusalCounts());
  }

  private ArrayClusterView(ArrayClusterView other) {
    this.tiers = other.tiers;
    this.rackStarts = other.rackStarts;
    this.regionOfRack = other.regionOfRack;
    this.rackOfNode = other.rackOfNode;
    this.cellStarts = other.cellStarts;
    this.nodeOfStore = other.nodeOfStore;
    this.tierOfStore = other.tierOfStore;
    this.storeOfNode = other.storeOfNode;
    this.volumeStarts = other.volumeStarts;
    this.volumesOfStores = other.volumesOfStores;
    this.nodeOfVolume = other.nodeOfVolume;
    this.tierOfVolume = other.tierOfVolume;
    this.regionNames = other.regionNames;
    this.rackNames = other.rackNames;
    this.nodeNames = other.nodeNames;
    this.volumeNames = other.volumeNames;
    this.absences = other.absences;
    this.freeBytes = other.freeBytes.clone();
    this.nodeRefusals = other.nodeRefusals.clone();
    this.volumeRefusals = other.volumeRefusals.clone();
  }

  /**
   * A copy of the cluster as it is now; later changes of free bytes and refusals do not pass over.
   */
  public ArrayClusterView copy() {
    return new ArrayClusterView(this);
  }

  /** Why {@code node} refuses every block; {@link Refusal#NONE} when it does not. */
  public Refusal refusalOf(int node) {
    return nodeRefusals[node];
  }

  /** Makes {@code node} refuse every block, or none with {@link Refusal#NONE}. */
  public void refuseNode(int node, Refusal refusal) {
    nodeRefusals[node] = Objects.requireNonNull(refusal, "refusal");
  }

  /**
   * Notes a volume of {@code tier} that stands in no cell: this view does not know it otherwise.
   */
  public void noteAbsence(int tier, Refusal reason) {
    absences[tier].note(reason);
  }

  /** Makes {@code volume} refuse every block, or none with {@link Refusal#NONE}. */
  public void refuseVolume(int volume, Refusal refusal) {
    volumeRefusals[volume] = Objects.requireNonNull(refusal, "refusal");
  }

  public void setFreeBytes(int volume, long bytes) {
    freeBytes[volume] = bytes;
  }

  public long freeBytes(int volume) {
    return freeBytes[volume];
  }

  /** Whether {@code volume} and its node take a block of {@code bytes} at this instant. */
  public boolean takes(int volume, long bytes) {
    return nodeRefusals[nodeOfVolume[volume]] == Refusal.NONE && hasRoom(volume, bytes);
  }

  private boolean hasRoom(int volume, long bytes) {
    return volumeRefusals[volume] == Refusal.NONE && freeBytes[volume] >= bytes;
  }

  @Override
  public TierTable tiers() {
    return tiers;
  }

  @Override
  public int regionCount() {
    return rackStarts.length - 1;
  }

  @Override
  public int rackCount() {
    return regionOfRack.length;
  }

  @Override
  public int nodeCount() {
    return rackOfNode.length;
  }

  @Override
  public int storeCount() {
    return nodeOfStore.length;
  }

  @Override
  public int volumeCount() {
    return nodeOfVolume.length;
  }

  @Override
  public int rackStart(int region) {
    return rackStarts[region];
  }

  @Override
  public int regionOfRack(int rack) {
    return regionOfRack[rack];
  }

  @Override
  public int rackOfNode(int node) {
    return rackOfNode[node];
  }

  @Override
  public int cellStart(int tier, int rack) {
    return cellStarts[tier * rackCount() + rack];
  }

  @Override
  public int nodeOfStore(int store) {
    return nodeOfStore[store];
  }

  @Override
  public int tierOfStore(int store) {
    return tierOfStore[store];
  }

  @Override
  public int storeOfNode(int node, int tier) {
    return storeOfNode[node * tiers.count() + tier];
  }

  @Override
  public int volumeIn(int store, long bytes, int draw) {
    int start = volumeStarts[store];
    int count = volumeStarts[store + 1] - start;
    int position = draw % count;
    for (int i = 0; i < count; i++) {
      int volume = volumesOfStores[start + position];
      if (hasRoom(volume, bytes)) {
        return volume;
      }
      position = position + 1 == count ? 0 : position + 1;
    }
    return NONE;
  }

  @Override
  public int nodeOfVolume(int volume) {
    return nodeOfVolume[volume];
  }

  @Override
  public int tierOfVolume(int volume) {
    return tierOfVolume[volume];
  }

  @Override
  public Refusal check(int store, long bytes) {
    return nodeRefusals[nodeOfStore[store]];
  }

  /**
   * Here volumes stay in their cells whatever they refuse: others are {@linkplain #noteAbsence
   * noted}.
   */
  @Override
  public RefusalCounts absences(int tier) {
    return absences[tier];
  }

  @Override
  public String nodeName(int node) {
    return nodeNames[node];
  }

  @Override
  public String rackName(int rack) {
    return rackNames[rack];
  }

  @Override
  public String regionName(int region) {
    return regionNames[region];
  }

  @Override
  public String volumeName(int volume) {
    return volumeNames[volume];
  }
}
