package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;

/**
 * Which replicas of a block with too many go.
 *
 * <p>For a file under a policy the policy says. The NameNode's hint (the source of a move that the
 * Balancer, the Mover or a re-tiering made) is followed when its loss costs the layout no more than
 * the policy's own choice: same tier, same region, no rack less. Otherwise the move is undone by
 * dropping the copy.
 *
 * <p>When nobody can say whose block it is (see {@link DeletionContext}) only this rule is left:
 * the last replica in a tier does not go while another tier has two. It holds for managed and
 * unmanaged files alike.
 */
final class ExcessChoice {
  private final ClusterView view;
  private final List<DatanodeStorageInfo> left;
  private final List<Integer> volumes = new ArrayList<>();

  private ExcessChoice(ClusterView view, Collection<DatanodeStorageInfo> candidates) {
    this.view = view;
    this.left = new ArrayList<>(candidates);
  }

  /** The replicas to drop, or null when stock HDFS is to choose. */
  static List<DatanodeStorageInfo> choose(
      PlacementHost host,
      Collection<DatanodeStorageInfo> candidates,
      int wanted,
      DatanodeDescriptor hint) {
    ManagedFile file = null;
    if (host.deletions() != null) {
      file = host.paths().resolve(host.deletions().take());
      if (file == null) {
        return null;
      }
    } else if (!host.guardsTiersBlindly()) {
      return null;
    }
    ExcessChoice choice = withKnownVolumes(host, candidates);
    if (choice == null) {
      if (file != null) {
        host.counters().stock(StockReason.UNKNOWN_STORAGE);
      }
      return null;
    }
    if (file == null) {
      return choice.spansTiers() ? choice.dropByTier(host, wanted, hint) : null;
    }
    return choice.dropByPolicy(host, file, wanted, hint);
  }

  private static ExcessChoice withKnownVolumes(
      PlacementHost host, Collection<DatanodeStorageInfo> candidates) {
    ClusterIndex index = host.views().index();
    for (int attempt = 0; attempt < 2; attempt++) {
      ExcessChoice choice =
          new ExcessChoice(new NameNodeView(index, host.admission(), ClusterView.NONE), candidates);
      for (DatanodeStorageInfo storage : choice.left) {
        choice.volumes.add(index.idOf(storage));
      }
      if (!choice.volumes.contains(ClusterView.NONE)) {
        return choice;
      }
      index = host.views().lookNow();
    }
    return null;
  }

  private List<DatanodeStorageInfo> dropByPolicy(
      PlacementHost host, ManagedFile file, int wanted, DatanodeDescriptor hint) {
    List<DatanodeStorageInfo> dropped = new ArrayList<>();
    boolean hinted = false;
    while (left.size() > wanted) {
      int[] ids = volumes.stream().mapToInt(Integer::intValue).toArray();
      int chosen = file.policy().chooseExcess(ids, file.file(), wanted, view);
      int ofHint = hinted ? -1 : indexOn(hint);
      hinted = true;
      drop(ofHint >= 0 && costsNoMore(ofHint, chosen) ? ofHint : chosen, dropped);
      host.counters().deletedByPolicy();
    }
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
      PlacementHost host, int wanted, DatanodeDescriptor hint) {
    List<DatanodeStorageInfo> dropped = new ArrayList<>();
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
