package io.tierwise.policies.placement;

import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.view.ClusterView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How far the replicas that a block has are what its policy wants: told after the fact, and not how
 * they came to be there.
 *
 * <p>The same wishes and the same matching as when a replica is to be restored. A ratio over a file
 * tells a block's zone by its index; one over a directory cannot, because indexes change when
 * blocks go: there the zone of most replicas stands for the block's own.
 */
public final class LayoutFit {
  private static final int NONE = -1;

  private final Wish[] wishes;
  private final int[] wishOfReplica;

  LayoutFit(int[] volumes, Wish[] wishes, ClusterView view) {
    this.wishes = wishes;
    this.wishOfReplica = ReplicaMatching.wishOfReplica(volumes, wishes, view);
  }

  /**
   * The wish for one replica.
   *
   * @param tiers the tiers that are accepted, in ascending order; empty for any
   * @param region the region that is accepted, or {@code Slot.ANY}
   */
  public record Wanted(List<Integer> tiers, int region) {}

  /** Whether the replica is in a tier and region where the policy wants one. */
  public boolean fits(int replica) {
    return wishOfReplica[replica] != NONE;
  }

  /** Whether every replica fits. */
  public boolean allFit() {
    return Arrays.stream(wishOfReplica).allMatch(wish -> wish != NONE);
  }

  /** The wish of each replica; a replica that fits nowhere gets one that nobody fulfils. */
  public List<Wanted> wantedOfReplicas() {
    List<Wanted> open = unfulfilled();
    int nextOpen = 0;
    List<Wanted> wanted = new ArrayList<>();
    for (int wish : wishOfReplica) {
      wanted.add(wish == NONE ? open.get(nextOpen++) : wanted(wishes[wish]));
    }
    return wanted;
  }

  /** The wishes that no replica fulfils, in the order in which they would be filled. */
  private List<Wanted> unfulfilled() {
    boolean[] fulfilled = new boolean[wishes.length];
    for (int wish : wishOfReplica) {
      if (wish != NONE) {
        fulfilled[wish] = true;
      }
    }
    List<Wanted> open = new ArrayList<>();
    for (int wish = 0; wish < wishes.length; wish++) {
      if (!fulfilled[wish]) {
        open.add(wanted(wishes[wish]));
      }
    }
    return open;
  }

  private static Wanted wanted(Wish wish) {
    List<Integer> tiers = new ArrayList<>();
    for (int tier = 0; wish.tiers() != Wish.ALL_TIERS && tier < Long.SIZE; tier++) {
      if (wish.acceptsTier(tier)) {
        tiers.add(tier);
      }
    }
    return new Wanted(tiers, wish.slot().region() < 0 ? Slot.ANY : wish.slot().region());
  }
}
