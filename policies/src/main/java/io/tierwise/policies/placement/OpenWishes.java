package io.tierwise.policies.placement;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.placement.PlacementRequest.Pledge;
import java.util.List;

/**
 * The wishes of a block that no replica fulfils, in the order in which they are to be filled: first
 * those that no pledged replica stands for either.
 *
 * <p>Own. Only as many wishes are left to pledges as the request leaves open; a pledge that turns
 * out wrong (its holder's replica is corrupt, its copy fails) delays a wish until the block is
 * repaired again, and never leaves a block with a replica less.
 */
final class OpenWishes {
  private final Wish[] wishes;

  /** Fulfilled by a replica, taken by a pledge, or handed out. */
  private final boolean[] done;

  private final boolean[] pledged;

  private OpenWishes(Wish[] wishes, boolean[] done) {
    this.wishes = wishes;
    this.done = done;
    this.pledged = new boolean[wishes.length];
  }

  static OpenWishes of(PlacementRequest request, Wish[] wishes, ClusterView view) {
    int[] existing = request.existingVolumes();
    boolean[] fulfilled =
        existing.length == 0
            ? new boolean[wishes.length]
            : ReplicaMatching.fulfilled(existing, wishes, view);
    OpenWishes open = new OpenWishes(wishes, fulfilled);
    open.pledge(request, view);
    return open;
  }

  /** Sure pledges first; then those of which only the order of the wishes tells what they are. */
  private void pledge(PlacementRequest request, ClusterView view) {
    List<Pledge> pledges = request.pledges();
    int spare = wishes.length - request.existingVolumes().length - request.replicaCount();
    boolean[] used = new boolean[pledges.size()];
    for (int i = 0; i < used.length && spare > 0; i++) {
      used[i] = take(pledges.get(i), true, view);
      spare -= used[i] ? 1 : 0;
    }
    for (int i = 0; i < used.length && spare > 0; i++) {
      if (!used[i] && pledges.get(i).coming() && take(pledges.get(i), false, view)) {
        spare--;
      }
    }
  }

  private boolean take(Pledge pledge, boolean surely, ClusterView view) {
    for (int wish = 0; wish < wishes.length; wish++) {
      if (!done[wish] && !pledged[wish] && fulfils(pledge, wishes[wish], surely, view)) {
        pledged[wish] = true;
        return true;
      }
    }
    return false;
  }

  /** Whether all volumes of the pledge fulfil the wish, or else one of them. */
  private static boolean fulfils(Pledge pledge, Wish wish, boolean all, ClusterView view) {
    for (int volume : pledge.volumes()) {
      int rack = view.rackOfNode(view.nodeOfVolume(volume));
      boolean fulfils =
          wish.acceptsTier(view.tierOfVolume(volume))
              && wish.acceptsRegion(view.regionOfRack(rack));
      if (fulfils != all) {
        return fulfils;
      }
    }
    return all;
  }

  /**
   * Leaves the last wishes out that may be fulfilled after the write.
   *
   * @param countMax of them
   * @return how many were left out
   */
  int leaveOutAsync(int countMax) {
    int left = 0;
    for (int wish = wishes.length - 1; wish >= 0 && left < countMax; wish--) {
      if (wishes[wish].async() && !done[wish]) {
        done[wish] = true;
        left++;
      }
    }
    return left;
  }

  /** The next wish to fill. There are at least as many as the request wants replicas. */
  Wish next() {
    int next = -1;
    for (int i = wishes.length - 1; i >= 0; i--) {
      if (!done[i] && (next < 0 || pledged[next] || !pledged[i])) {
        next = i;
      }
    }
    done[next] = true;
    return wishes[next];
  }
}
