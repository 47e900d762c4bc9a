package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which replicas of a block with too many go.
 *
 * <p>A replica on a node that stopped sending heartbeats goes first, as in stock HDFS: the node may
 * be gone, and then the others are all that is left of the block. Among the rest, for a file under
 * a policy the policy says. The NameNode's hint (the source of a move that the Balancer, the Mover
 * or a re-tiering made) is followed when its loss costs the layout no more than the policy's own
 * choice: same tier, same region, no rack less. Otherwise the move is undone by dropping the copy.
 *
 * <p>When nobody can say whose block it is (see {@link DeletionContext}) only this rule is left:
 * the last replica in a tier does not go while another tier has two. It holds for managed and
 * unmanaged files alike.
 */
final class ExcessChoice {
  /** One line for each block of a managed file that is thinned out, at TRACE. */
  private static final Logger DECISIONS = LoggerFactory.getLogger("tierwise.decisions.deletion");

  private final ClusterIndex index;
  private final ClusterView view;
  private final List<DatanodeStorageInfo> left;
  private final List<Integer> volumes = new ArrayList<>();

  private ExcessChoice(
      ClusterIndex index, PlacementHost host, Collection<DatanodeStorageInfo> candidates) {
    this.index = index;
    this.view = new NameNodeView(index, host.admission(), ClusterView.NONE);
    this.left = new ArrayList<>(candidates);
    for (DatanodeStorageInfo storage : left) {
      volumes.add(index.idOf(storage));
    }
  }

  /**
   * The replicas to drop, or null when stock HDFS is to choose.
   *
   * @param silentSinceMillis monotonic time; a node whose latest heartbeat is older is silent
   */
  static List<DatanodeStorageInfo> choose(
      PlacementHost host,
      Collection<DatanodeStorageInfo> candidates,
      int wanted,
      DatanodeDescriptor hint,
      long silentSinceMillis) {
    ManagedFile file = null;
    BlockCollection blocks = null;
    ClusterIndex index = host.views().index();
    if (host.deletions() != null) {
      blocks = host.deletions().take();
      file = host.paths().resolve(blocks, index);
      if (file == null) {
        return null;
      }
    } else if (!host.guardsTiersBlindly()) {
      return null;
    }
    ExcessChoice choice = withKnownVolumes(host, index, candidates);
    if (choice == null) {
      if (file != null) {
        host.counters().stock(StockReason.UNKNOWN_STORAGE);
      }
      return null;
    }
    if (file == null) {
      return choice.spansTiers() ? choice.dropByTier(host, wanted, hint, silentSinceMillis) : null;
    }
    if (choice.index != index) {
      // A region's number holds for one index alone.
      file = host.paths().resolve(blocks, choice.index);
    }
    return file == null ? null : choice.dropByPolicy(host, file, wanted, hint, silentSinceMillis);
  }

  /**
   * In the index at hand, else in a fresh one, else in one of the replicas' nodes alone: in a large
   * cluster a node that registered again is unknown until the index is made anew, and stock HDFS
   * would drop what the file's storage policy does not name.
   */
  private static ExcessChoice withKnownVolumes(
      PlacementHost host, ClusterIndex index, Collection<DatanodeStorageInfo> candidates) {
    ExcessChoice choice = new ExcessChoice(index, host, candidates);
    if (!choice.knowsAll()) {
      choice = new ExcessChoice(host.views().lookNow(), host, candidates);
    }
    if (!choice.knowsAll()) {
      choice = new ExcessChoice(host.views().indexOfNodes(nodesOf(candidates)), host, candidates);
    }
    return choice.knowsAll() ? choice : null;
  }

  private static List<DatanodeDescriptor> nodesOf(Collection<DatanodeStorageInfo> storages) {
    return storages.stream().map(DatanodeStorageInfo::getDatanodeDescriptor).toList();
  }

  private boolean knowsAll() {
    return !volumes.contains(ClusterView.NONE);
  }

  /** Drops replicas on silent nodes, the one that was silent for longest first. */
  private List<DatanodeStorageInfo> dropSilent(int wanted, long silentSinceMillis) {
    List<DatanodeStorageInfo> dropped = new ArrayList<>();
    while (left.size() > wanted) {
      int oldest = -1;
      long oldestMillis = silentSinceMillis;
      for (int i = 0; i < left.size(); i++) {
        long millis = left.get(i).getDatanodeDescriptor().getLastUpdateMonotonic();
        if (millis < oldestMillis) {
          oldest = i;
          oldestMillis = millis;
        }
      }
      if (oldest < 0) {
        break;
      }
      drop(oldest, dropped);
    }
    return dropped;
  }

  private List<DatanodeStorageInfo> dropByPolicy(
      PlacementHost host,
      ManagedFile file,
      int wanted,
      DatanodeDescriptor hint,
      long silentSinceMillis) {
    List<DatanodeStorageInfo> dropped = dropSilent(wanted, silentSinceMillis);
    dropped.forEach(silent -> host.counters().deletedByPolicy());
    boolean hinted = false;
    while (left.size() > wanted) {
      int[] ids = volumes.stream().mapToInt(Integer::intValue).toArray();
      int chosen = file.policy().chooseExcess(ids, file.file(), wanted, view);
      int ofHint = hinted ? -1 : indexOn(hint);
      hinted = true;
      drop(ofHint >= 0 && costsNoMore(ofHint, chosen) ? ofHint : chosen, dropped);
      host.counters().deletedByPolicy();
    }
    DECISIONS.trace("{} loses {}", file.path(), dropped);
    return dropped;
  }

  private int indexOn(DatanodeDescriptor node) {
    for (int i = 0; i < left.size(); i++) {
      if (left.get(i).getDatanodeDescriptor().equals(node)) {
        return i;
      }
    }
    return -1;
  }

  private boolean costsNoMore(int hint, int chosen) {
    return tier(hint) == tier(chosen)
        && view.regionOfRack(rack(hint)) == view.regionOfRack(rack(chosen))
        && racksWithout(hint) >= racksWithout(chosen);
  }

  private int tier(int replica) {
    return view.tierOfVolume(volumes.get(replica));
  }

  private int rack(int replica) {
    return view.rackOfNode(view.nodeOfVolume(volumes.get(replica)));
  }

  private long racksWithout(int lost) {
    List<Integer> racks = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      if (i != lost) {
        racks.add(rack(i));
      }
    }
    return racks.stream().distinct().count();
  }

  private void drop(int replica, List<DatanodeStorageInfo> dropped) {
    dropped.add(left.remove(replica));
    volumes.remove(replica);
  }

  private boolean spansTiers() {
    for (int i = 1; i < volumes.size(); i++) {
      if (tier(i) != tier(0)) {
        return true;
      }
    }
    return false;
  }

  private List<DatanodeStorageInfo> dropByTier(
      PlacementHost host, int wanted, DatanodeDescriptor hint, long silentSinceMillis) {
    List<DatanodeStorageInfo> dropped = dropSilent(wanted, silentSinceMillis);
    dropped.forEach(silent -> host.counters().deletedByTierRule());
    boolean hinted = false;
    while (left.size() > wanted) {
      int ofHint = hinted ? -1 : indexOn(hint);
      hinted = true;
      drop(ofHint >= 0 && countInTier(ofHint) > 1 ? ofHint : bestByTier(), dropped);
      host.counters().deletedByTierRule();
    }
    return dropped;
  }

  /** Racks kept first, then a tier that keeps another replica, then the slower tier. */
  private int bestByTier() {
    int best = 0;
    long bestScore = -1;
    for (int i = 0; i < volumes.size(); i++) {
      int tier = tier(i) == TierTable.NONE ? view.tiers().count() : tier(i);
      long score = Math.min(racksWithout(i), 2) * 4096;
      score += (countInTier(i) > 1 ? 2048 : 0) + tier;
      if (score > bestScore) {
        best = i;
        bestScore = score;
      }
    }
    return best;
  }

  private int countInTier(int replica) {
    int count = 0;
    for (int i = 0; i < volumes.size(); i++) {
      count += tier(i) == tier(replica) ? 1 : 0;
    }
    return count;
  }
}
