package io.tierwise.policies.placement;

import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import java.util.Arrays;

/**
 * Matches the replicas of a block with the wishes of its layout: an unmatched wish is one that a
 * lost replica fulfilled.
 *
 * <p>A matching of greatest size over tiers and regions (augmenting paths). Among equally good
 * wishes a replica takes the narrowest, then the one whose spread its rack fulfils, then the first.
 * Spread alone never unmatches a replica: a block is not copied again for it here. A replica at an
 * unknown place ({@link ClusterView#NONE}) fulfils nothing.
 *
 * <p>Each volume is looked up once. Replicas that are matched at once cost as many comparisons as
 * there are wishes; one that is not, for the first of its tier and region, at most the square.
 * Nothing is kept, so that any thread may ask.
 */
public final class ReplicaMatching {
  private static final int NONE = -1;

  private final ReplicaPlaces places;
  private final boolean[] sharesRack;
  private final Wish[] wishes;
  private final int[] replicaOfWish;

  private ReplicaMatching(ReplicaPlaces places, Wish[] wishes) {
    this.places = places;
    this.sharesRack = places.shareRackWithEarlier();
    this.wishes = wishes;
    this.replicaOfWish = new int[wishes.length];
    Arrays.fill(replicaOfWish, NONE);
  }

  private static ReplicaMatching match(int[] volumes, Wish[] wishes, ClusterView view) {
    ReplicaPlaces places = ReplicaPlaces.of(volumes, view);
    ReplicaMatching matching = new ReplicaMatching(places, wishes);
    int[] unmatched = new int[places.count()];
    int unmatchedCount = 0;
    for (int replica = 0; replica < places.count(); replica++) {
      if (places.known()[replica]
          && !matching.isLikeOneOf(unmatched, unmatchedCount, replica)
          && !matching.take(replica, new boolean[wishes.length])) {
        unmatched[unmatchedCount++] = replica;
      }
    }
    return matching;
  }

  /**
   * Whether the replica is in the tier and region of one that found no wish. It finds none either:
   * wishes that are taken stay taken, and both fulfil the same ones.
   */
  private boolean isLikeOneOf(int[] others, int count, int replica) {
    for (int i = 0; i < count; i++) {
      if (places.tiers()[others[i]] == places.tiers()[replica]
          && places.regions()[others[i]] == places.regions()[replica]) {
        return true;
      }
    }
    return false;
  }

  /**
   * For each wish whether one of the replicas fulfils it.
   *
   * @param volumes one a replica; an id may be {@code ClusterView.NONE}
   * @param wishes none null; as many as one likes
   * @return as long as {@code wishes}
   */
  public static boolean[] fulfilled(int[] volumes, Wish[] wishes, ClusterView view) {
    ReplicaMatching matching = match(volumes, wishes, view);
    boolean[] fulfilled = new boolean[wishes.length];
    for (int wish = 0; wish < wishes.length; wish++) {
      fulfilled[wish] = matching.replicaOfWish[wish] != NONE;
    }
    return fulfilled;
  }

  /**
   * For each replica the index of the wish that it stands for; -1 for one that stands for none.
   *
   * @param volumes one a replica; an id may be {@code ClusterView.NONE}
   * @param wishes none null; no two replicas stand for the same one
   * @return as long as {@code volumes}
   */
  public static int[] wishOfReplica(int[] volumes, Wish[] wishes, ClusterView view) {
    ReplicaMatching matching = match(volumes, wishes, view);
    int[] wishOfReplica = new int[volumes.length];
    Arrays.fill(wishOfReplica, NONE);
    for (int wish = 0; wish < wishes.length; wish++) {
      if (matching.replicaOfWish[wish] != NONE) {
        wishOfReplica[matching.replicaOfWish[wish]] = wish;
      }
    }
    return wishOfReplica;
  }

  private boolean take(int replica, boolean[] seen) {
    while (true) {
      int wish = bestUnseen(replica, seen);
      if (wish == NONE) {
        return false;
      }
      seen[wish] = true;
      if (replicaOfWish[wish] == NONE || take(replicaOfWish[wish], seen)) {
        replicaOfWish[wish] = replica;
        return true;
      }
    }
  }

  /** The best wish that the replica fulfils and nobody looked at; a free one before a taken one. */
  private int bestUnseen(int replica, boolean[] seen) {
    int best = NONE;
    int bestScore = NONE;
    for (int wish = 0; wish < wishes.length; wish++) {
      if (!seen[wish] && fulfils(replica, wishes[wish])) {
        int score = score(replica, wish);
        if (score > bestScore) {
          best = wish;
          bestScore = score;
        }
      }
    }
    return best;
  }

  private boolean fulfils(int replica, Wish wish) {
    return wish.acceptsTier(places.tiers()[replica])
        && wish.acceptsRegion(places.regions()[replica]);
  }

  private int score(int replica, int wish) {
    Wish wanted = wishes[wish];
    int narrow = Long.SIZE - Long.bitCount(wanted.tiers()) + (wanted.acceptsRegion(NONE) ? 0 : 1);
    boolean free = replicaOfWish[wish] == NONE;
    boolean placed = spreadFits(replica, wanted.slot().spread());
    return (free ? 1024 : 0) + narrow * 2 + (placed ? 1 : 0);
  }

  private boolean spreadFits(int replica, Spread spread) {
    return switch (spread) {
      case ANYWHERE -> false;
      case WRITER_NODE -> replica == 0;
      case OTHER_RACK -> replica > 0 && !sharesRack[replica];
      case SHARED_RACK -> sharesRack[replica];
    };
  }
}
