package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Drop;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.hdfs.ClassTimes;
import io.tierwise.policies.placement.LayoutFit;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the replicas that go when a block has too many.
 *
 * <p>A replica on a node that stopped sending heartbeats goes first, as in stock HDFS: the node may
 * be gone, and then the others are all that is left of the block. Among the rest, for a file under
 * a policy the policy says. The NameNode's hint (the source of a move that the Balancer, the Mover
 * or a re-tiering made) is followed when its loss costs the layout no more than one of the policy's
 * own choices: no node less; same tier and region and no rack less, or as many wishes of the layout
 * fulfilled and as many racks as it needs. Of replicas that are worth the same the one on the
 * fullest volume goes, as in stock HDFS: else a Balancer whose hint cannot be followed would make
 * the same copy again and again.
 *
 * <p>When nobody can say whose block it is (see {@link DeletionContext}) only this rule is left:
 * the last replica in a tier does not go while another tier has two. It holds for managed and
 * unmanaged files alike.
 *
 * <p>Asked under the namesystem's write lock with all replicas of a block, 512 at most: the work is
 * a few look-ups a replica and one call of the policy. Where the NameNode's hint is of another tier
 * than the policy's choice, replicas are matched with wishes twice, which takes some hundred
 * thousand comparisons for 512 of them.
 */
final class ExcessChoice {
  /** One line for each replica that a managed file loses, at TRACE. */
  private static final Logger DECISIONS = LoggerFactory.getLogger("tierwise.decisions.deletion");

  private static final String SILENT = "its node is silent";
  private static final String FOLLOWED = "the NameNode's hint, which costs the layout no more";

  private final PlacementHost host;
  private final ReplicaView view;
  private final List<DatanodeStorageInfo> replicas;
  private final int[] tiers;
  private final int[] nodes;
  private final int[] racks;
  private final List<Integer> dropped = new ArrayList<>();
  private final boolean[] isDropped;
  private int silentCount;
  private int followed = -1;

  private ExcessChoice(PlacementHost host, Collection<DatanodeStorageInfo> candidates) {
    this.host = host;
    replicas = fullestLast(candidates);
    view = host.views().replicas(replicas);
    int count = replicas.size();
    tiers = new int[count];
    nodes = new int[count];
    racks = new int[count];
    for (int i = 0; i < count; i++) {
      tiers[i] = view.tierOfVolume(view.volumes()[i]);
      nodes[i] = view.nodeOfVolume(view.volumes()[i]);
      racks[i] = view.rackOfNode(nodes[i]);
    }
    isDropped = new boolean[count];
  }

  /** In the order of what their volumes have left, since of equals the last one goes. */
  private static List<DatanodeStorageInfo> fullestLast(Collection<DatanodeStorageInfo> candidates) {
    DatanodeStorageInfo[] replicas = candidates.toArray(DatanodeStorageInfo[]::new);
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(replicas.length);
    long bytesMax = Long.MAX_VALUE >> bits;
    long[] keys = new long[replicas.length];
    for (int i = 0; i < keys.length; i++) {
      long left = Math.min(bytesMax, Math.max(0, StorageInternals.remainingBytes(replicas[i])));
      keys[i] = (bytesMax - left) << bits | i;
    }
    // Sorted as numbers, which is quick: 512 of them are sorted under the write lock.
    Arrays.sort(keys);
    DatanodeStorageInfo[] sorted = new DatanodeStorageInfo[keys.length];
    for (int i = 0; i < keys.length; i++) {
      sorted[i] = replicas[(int) (keys[i] & ((1L << bits) - 1))];
    }
    return List.of(sorted);
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
    if (host.deletions() != null) {
      if (!host.paths().mayManage()) {
        return null;
      }
      file = host.paths().resolve(host.deletions().take());
      if (file == null) {
        return null;
      }
    } else if (!host.guardsTiersBlindly()) {
      return null;
    }
    ClassTimes times =
        file == null ? null : host.counters().dropping().of(file.policy().getClass());
    if (times != null && !times.mayDecide()) {
      host.counters().stock(StockReason.SLOW);
      return null;
    }
    ExcessChoice choice = new ExcessChoice(host, candidates);
    if (file == null && !choice.spansTiers()) {
      return null;
    }
    choice.dropSilent(wanted, silentSinceMillis);
    if (file == null) {
      choice.dropByTier(wanted, hint);
    } else {
      int began = times.begin();
      try {
        choice.dropByPolicy(file, wanted, hint);
      } finally {
        times.end(began);
      }
    }
    return choice.dropped.stream().map(choice.replicas::get).toList();
  }

  private void drop(int replica) {
    dropped.add(replica);
    isDropped[replica] = true;
  }

  private int leftCount() {
    return replicas.size() - dropped.size();
  }

  /** Drops replicas on silent nodes, the one that was silent for longest first. */
  private void dropSilent(int wanted, long silentSinceMillis) {
    record Silent(int replica, long millis) {}
    List<Silent> silent = new ArrayList<>();
    for (int i = 0; i < replicas.size(); i++) {
      long millis = replicas.get(i).getDatanodeDescriptor().getLastUpdateMonotonic();
      if (millis < silentSinceMillis) {
        silent.add(new Silent(i, millis));
      }
    }
    silent.sort(Comparator.comparingLong(Silent::millis));
    for (Silent one : silent) {
      if (leftCount() > wanted) {
        drop(one.replica());
        silentCount++;
      }
    }
  }

  private void dropByPolicy(ManagedFile file, int wanted, DatanodeDescriptor hint) {
    int[] left = IntStream.range(0, isDropped.length).filter(i -> !isDropped[i]).toArray();
    if (left.length > wanted) {
      int[] volumes = IntStream.of(left).map(replica -> view.volumes()[replica]).toArray();
      // Changed below, and the policy's own array may be a constant of it.
      int[] chosen = host.chooseExcess(file, volumes, wanted, view).clone();
      for (int i = 0; i < chosen.length; i++) {
        chosen[i] = left[chosen[i]];
        isDropped[chosen[i]] = true;
      }
      followHint(file, wanted, hint, chosen);
      IntStream.of(chosen).forEach(this::drop);
    }
    host.counters().deletedByPolicy(dropped.size());
    if (DECISIONS.isTraceEnabled()) {
      for (int i = 0; i < dropped.size(); i++) {
        DECISIONS.trace("{}: {}", file.path(), drop(file.policy(), i).describe(view));
      }
    }
  }

  /** The i-th replica that goes, for the log. */
  private Drop drop(PlacementPolicy policy, int i) {
    int replica = dropped.get(i);
    String rule = replica == followed ? FOLLOWED : PlacementPolicy.DROP_RULE;
    return Drop.of(policy.name(), i < silentCount ? SILENT : rule, view.volumes()[replica], 0);
  }

  /** Puts the hint in the place of the first replica whose loss costs as much. */
  private void followHint(ManagedFile file, int wanted, DatanodeDescriptor hint, int[] chosen) {
    int hinted = indexOn(hint);
    if (hinted < 0 || IntStream.of(chosen).anyMatch(replica -> replica == hinted)) {
      return;
    }
    Map<Integer, Integer> leftOnRack = countLeft(racks);
    Map<Integer, Integer> leftOnNode = countLeft(nodes);
    for (int i = 0; i < chosen.length; i++) {
      boolean keepsRacks = lossOf(hinted, chosen[i], racks, leftOnRack) <= 0;
      if (lossOf(hinted, chosen[i], nodes, leftOnNode) <= 0
          && ((keepsRacks && sameTierAndRegion(hinted, chosen[i]))
              || (chosen.length == 1 && fitsAsWell(file, wanted, hinted, chosen[i])))) {
        isDropped[chosen[i]] = false;
        chosen[i] = hinted;
        followed = hinted;
        return;
      }
    }
  }

  /**
   * Whether the layout keeps as much of what it wants when the hint goes and not the chosen one. A
   * layout that names no region loses nothing with the last replica of one, and none loses anything
   * with a rack more than it needs.
   */
  private boolean fitsAsWell(ManagedFile file, int wanted, int hinted, int chosen) {
    Optional<LayoutFit> hintGone = fitWithout(hinted, file, wanted);
    Optional<LayoutFit> chosenGone = fitWithout(chosen, file, wanted);
    return hintGone.isPresent()
        && chosenGone.isPresent()
        && hintGone.get().openWishes().length <= chosenGone.get().openWishes().length
        && racksWithout(hinted) >= Math.min(racksWithout(chosen), hintGone.get().racksNeeded(view));
  }

  private Optional<LayoutFit> fitWithout(int replica, ManagedFile file, int wanted) {
    int[] kept = keptWithout(replica).map(one -> view.volumes()[one]).toArray();
    return file.policy().fit(file.file(), kept, wanted, view);
  }

  private long racksWithout(int replica) {
    return keptWithout(replica).map(one -> racks[one]).distinct().count();
  }

  /** The replicas that are left when that one goes. */
  private IntStream keptWithout(int replica) {
    return IntStream.range(0, replicas.size())
        .filter(one -> one != replica && !dropped.contains(one));
  }

  private int indexOn(DatanodeDescriptor node) {
    for (int i = 0; node != null && i < replicas.size(); i++) {
      if (!isDropped[i] && replicas.get(i).getDatanodeDescriptor().equals(node)) {
        return i;
      }
    }
    return -1;
  }

  private boolean sameTierAndRegion(int hint, int chosen) {
    return tiers[hint] == tiers[chosen]
        && view.regionOfRack(racks[hint]) == view.regionOfRack(racks[chosen]);
  }

  /**
   * Places (racks or nodes) that are lost when {@code hint}, which is kept, goes instead of {@code
   * chosen}, which is dropped.
   */
  private static int lossOf(int hint, int chosen, int[] places, Map<Integer, Integer> left) {
    if (places[hint] == places[chosen]) {
      return 0;
    }
    boolean loses = left.get(places[hint]) == 1;
    boolean gains = !left.containsKey(places[chosen]);
    return (loses ? 1 : 0) - (gains ? 1 : 0);
  }

  /** Replicas left at each place; counted once, because many may have been chosen. */
  private Map<Integer, Integer> countLeft(int[] places) {
    Map<Integer, Integer> left = new HashMap<>();
    for (int i = 0; i < places.length; i++) {
      if (!isDropped[i]) {
        left.merge(places[i], 1, Integer::sum);
      }
    }
    return left;
  }

  private boolean spansTiers() {
    return IntStream.of(tiers).distinct().count() > 1;
  }

  private void dropByTier(int wanted, DatanodeDescriptor hint) {
    int hinted = leftCount() > wanted ? indexOn(hint) : -1;
    TierRule rule = new TierRule();
    while (leftCount() > wanted) {
      int next = hinted >= 0 && rule.inTier(hinted) > 1 ? hinted : rule.best();
      hinted = -1;
      rule.remove(next);
      drop(next);
    }
    host.counters().deletedByTierRule(dropped.size());
  }

  /**
   * Chooses the replica that leaves most racks (two are enough); of those one whose tier keeps
   * another, then one in the slower tier, then the last.
   */
  private final class TierRule {
    private final Map<Integer, Integer> countOfTier = new HashMap<>();
    private final Map<Integer, Integer> countOfRack = new HashMap<>();

    TierRule() {
      for (int i = 0; i < replicas.size(); i++) {
        if (!isDropped[i]) {
          countOfTier.merge(tiers[i], 1, Integer::sum);
          countOfRack.merge(racks[i], 1, Integer::sum);
        }
      }
    }

    int inTier(int replica) {
      return countOfTier.get(tiers[replica]);
    }

    int best() {
      int best = -1;
      long bestScore = -1;
      for (int i = 0; i < replicas.size(); i++) {
        long score = isDropped[i] ? -1 : score(i);
        if (score >= bestScore && score >= 0) {
          best = i;
          bestScore = score;
        }
      }
      return best;
    }

    private long score(int replica) {
      int tier = tiers[replica] == TierTable.NONE ? view.tiers().count() : tiers[replica];
      int racksLeft = countOfRack.size() - (countOfRack.get(racks[replica]) == 1 ? 1 : 0);
      return Math.min(racksLeft, 2) * 4096L + (inTier(replica) > 1 ? 2048 : 0) + tier;
    }

    void remove(int replica) {
      countOfTier.merge(tiers[replica], -1, Integer::sum);
      countOfRack.computeIfPresent(racks[replica], (rack, count) -> count == 1 ? null : count - 1);
    }
  }
}
