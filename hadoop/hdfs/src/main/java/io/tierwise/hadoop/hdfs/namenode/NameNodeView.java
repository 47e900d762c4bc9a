package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.core.view.RefusalCounts;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * A placement policy's view of a NameNode during one decision: a shared index, and live answers
 * from the node descriptors behind it.
 *
 * <p>Own node of the writer: stock HDFS takes it however loaded it is, and so does this view.
 */
class NameNodeView implements ClusterView {
  private final ClusterIndex index;
  private final WriteAdmission admission;
  private final int writerNode;

  NameNodeView(ClusterIndex index, WriteAdmission admission, int writerNode) {
    this.index = index;
    this.admission = admission;
    this.writerNode = writerNode;
  }

  /** The volume's number in this view, or {@link #NONE} when the view does not know it. */
  int idOf(DatanodeStorageInfo storage) {
    return index.idOf(storage);
  }

  @Override
  public TierTable tiers() {
    return index.tiers;
  }

  @Override
  public int regionCount() {
    return index.regionNames.length;
  }

  @Override
  public int rackCount() {
    return index.rackNames.length;
  }

  @Override
  public int nodeCount() {
    return index.nodes.length;
  }

  @Override
  public int storeCount() {
    return index.storeNodes.length;
  }

  @Override
  public int volumeCount() {
    return index.volumes.length;
  }

  @Override
  public int rackStart(int region) {
    return index.rackStarts[region];
  }

  @Override
  public int regionOfRack(int rack) {
    return index.rackRegions[rack];
  }

  @Override
  public int rackOfNode(int node) {
    return index.nodeRacks[node];
  }

  @Override
  public int cellStart(int tier, int rack) {
    return index.cellStarts[tier * (index.rackNames.length + 1) + rack];
  }

  @Override
  public int nodeOfStore(int store) {
    return index.storeNodes[store];
  }

  @Override
  public int tierOfStore(int store) {
    return index.storeTiers[store];
  }

  @Override
  public int storeOfNode(int node, int tier) {
    return index.nodeStores[node * index.tiers.count() + tier];
  }

  /**
   * Starts at a random volume of the store and takes the first with room. As in the stock policy
   * ({@code DatanodeDescriptor.chooseStorage4Block}) the room that counts is that of all volumes of
   * one type less what is already scheduled to that type on the node; here only of the store's
   * volumes, less what may come to those.
   */
  @Override
  public int volumeIn(int store, long bytes, int draw) {
    int start = index.storeVolumeStarts[store];
    int count = index.storeVolumeStarts[store + 1] - start;
    long required = admission.requiredBytes(bytes);
    StorageType refused = null;
    for (int i = 0, at = draw % count; i < count; i++, at = at + 1 == count ? 0 : at + 1) {
      StorageType type = index.volumes[start + at].getStorageType();
      if (type != refused && freeBytes(start + at, bytes) >= required) {
        long room = roomOf(start, count, type, bytes, required) - required;
        if (bytes * scheduledTo(store, type, room, bytes) <= room) {
          return start + at;
        }
        refused = type;
      }
    }
    return NONE;
  }

  /**
   * Blocks that are scheduled to the store. While all of the node's blocks of the type would fit,
   * they all count: that saves looking up their volumes.
   */
  private long scheduledTo(int store, StorageType type, long room, long bytes) {
    int node = index.storeNodes[store];
    long toType = index.nodes[node].getBlocksScheduled(type);
    if (bytes * toType <= room) {
      return toType;
    }
    int first = index.storeVolumeStarts[store];
    return index.placed.scheduled().to(node, type, first, index.storeVolumeStarts[store + 1]);
  }

  private long roomOf(int start, int count, StorageType type, long bytes, long required) {
    long room = 0;
    for (int volume = start; volume < start + count; volume++) {
      if (index.volumes[volume].getStorageType() == type) {
        long free = freeBytes(volume, bytes);
        room += free >= required ? free : 0;
      }
    }
    return room;
  }

  /** Room on a volume, or -1 when it takes nothing at all. */
  private long freeBytes(int volume, long bytes) {
    DatanodeStorageInfo storage = index.volumes[volume];
    return StorageInternals.isNormal(storage)
        ? index.placed.freeBytes(volume, storage, bytes, admission.keptFreeBytes())
        : -1;
  }

  @Override
  public int nodeOfVolume(int volume) {
    return index.volumeNodes[volume];
  }

  @Override
  public int tierOfVolume(int volume) {
    return index.volumeTiers[volume];
  }

  @Override
  public Refusal check(int store, long bytes) {
    int node = index.storeNodes[store];
    DatanodeDescriptor descriptor = index.nodes[node];
    return node == writerNode
        ? admission.checkButLoad(descriptor)
        : admission.check(descriptor, index.storeTiers[store]);
  }

  @Override
  public RefusalCounts absences(int tier) {
    return index.absences.of(tier);
  }

  DatanodeDescriptor descriptorOf(int node) {
    return index.nodes[node];
  }

  @Override
  public boolean shareDomain(int node, int other) {
    return admission.domains().share(descriptorOf(node), descriptorOf(other));
  }

  @Override
  public int domainsMin() {
    return admission.domains().countMin(index.rackNames.length);
  }

  @Override
  public String nodeName(int node) {
    return descriptorOf(node).getHostName() + ":" + descriptorOf(node).getXferPort();
  }

  @Override
  public String rackName(int rack) {
    return index.rackNames[rack];
  }

  @Override
  public String regionName(int region) {
    return index.regionNames[region];
  }

  @Override
  public String volumeName(int volume) {
    return index.volumes[volume].getStorageID();
  }
}
