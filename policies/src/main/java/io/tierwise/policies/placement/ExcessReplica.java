package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;

/**
 * Which replica goes when a block has one too many: the one whose loss costs least, counted in this
 * order: nodes kept; two racks kept; wishes of the layout still fulfilled; racks kept; a tier that
 * holds another replica; the slowest tier.
 *
 * <p>Two racks come before the layout because a NameNode that finds a block in one rack copies it
 * to another at once: dropping that copy again for the layout's sake would never end.
 */
final class ExcessReplica {
  private static final int SAFE_RACKS = 2;

  private ExcessReplica() {}

  /**
   * Index into {@code volumes}; of equals the last. A replica at an unknown place is not chosen:
   * nobody can say what its loss costs.
   */
  static int choose(int[] volumes, Wish[] wishes, boolean rackSafe, ClusterView view) {
    int best = 0;
    long bestScore = Long.MIN_VALUE;
    for (int lost = 0; lost < volumes.length; lost++) {
      if (volumes[lost] == ClusterView.NONE) {
        continue;
      }
      long score = score(lost, volumes, wishes, rackSafe, view);
      if (score >= bestScore) {
        best = lost;
        bestScore = score;
      }
    }
    return best;
  }

  /** What is left without {@code lost}, most important first, in digits of 1,024. */
  private static long score(
      int lost, int[] volumes, Wish[] wishes, boolean rackSafe, ClusterView view) {
    boolean sharesNode = false;
    boolean sharesTier = false;
    int tier = view.tierOfVolume(volumes[lost]);
    int racks = 0;
    for (int i = 0; i < volumes.length; i++) {
      if (i != lost && volumes[i] != ClusterView.NONE) {
        sharesNode |= view.nodeOfVolume(volumes[i]) == view.nodeOfVolume(volumes[lost]);
        sharesTier |= view.tierOfVolume(volumes[i]) == tier;
        racks += firstOfRack(i, lost, volumes, view) ? 1 : 0;
      }
    }
    long score = sharesNode ? 1 : 0;
    score = digit(score, rackSafe ? Math.min(racks, SAFE_RACKS) : 0);
    score = digit(score, ReplicaMatching.fulfilledWithout(lost, volumes, wishes, view));
    score = digit(score, racks);
    score = digit(score, sharesTier ? 1 : 0);
    return digit(score, tier == TierTable.NONE ? Long.SIZE : tier);
  }

  private static long digit(long score, int value) {
    return score * 1024 + Math.min(value, 1023);
  }

  private static boolean firstOfRack(int replica, int lost, int[] volumes, ClusterView view) {
    int rack = view.rackOfNode(view.nodeOfVolume(volumes[replica]));
    for (int i = 0; i < replica; i++) {
      if (i != lost
          && volumes[i] != ClusterView.NONE
          && view.rackOfNode(view.nodeOfVolume(volumes[i])) == rack) {
        return false;
      }
    }
    return true;
  }
}
