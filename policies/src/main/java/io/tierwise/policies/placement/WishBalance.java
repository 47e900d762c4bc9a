package io.tierwise.policies.placement;

import java.util.Arrays;

/**
 * Counts the wishes of a layout that a shrinking set of replicas can fulfil.
 *
 * <p>Replicas in one tier and region are of one kind, and so are equal wishes: only counts matter.
 * The counts are a flow of greatest size from kinds of replicas to kinds of wishes; one search a
 * removed replica keeps it so. Own.
 */
final class WishBalance {
  private static final int NONE = -1;

  private final int kindCount;
  private final int wishCount;
  private final boolean[][] accepts;

  /** Replicas of the kind that stand for the wish. */
  private final int[][] taken;

  /** Replicas of the kind that stand for no wish. */
  private final int[] spare;

  /** Wishes of the kind that no replica stands for. */
  private final int[] open;

  private int fulfilled;

  // The latest search, from spare replicas: who was reached and from where.
  private final boolean[] kindReached;
  private final int[] wishBefore;
  private final int[] kindBefore;
  private final int[] queue;

  /**
   * @param tiers tier of each kind of replicas
   * @param regions region of each kind
   * @param counts replicas of each kind
   */
  WishBalance(int[] tiers, int[] regions, int[] counts, Wish[] wishes) {
    Wish[] distinct = new Wish[wishes.length];
    int[] wanted = new int[wishes.length];
    wishCount = group(wishes, distinct, wanted);
    kindCount = counts.length;
    accepts = new boolean[kindCount][wishCount];
    taken = new int[kindCount][wishCount];
    spare = counts.clone();
    open = Arrays.copyOf(wanted, wishCount);
    kindReached = new boolean[kindCount];
    wishBefore = new int[kindCount];
    kindBefore = new int[wishCount];
    queue = new int[kindCount];
    for (int kind = 0; kind < kindCount; kind++) {
      for (int wish = 0; wish < wishCount; wish++) {
        accepts[kind][wish] =
            distinct[wish].acceptsTier(tiers[kind]) && distinct[wish].acceptsRegion(regions[kind]);
        if (accepts[kind][wish]) {
          int units = Math.min(spare[kind], open[wish]);
          taken[kind][wish] = units;
          spare[kind] -= units;
          open[wish] -= units;
          fulfilled += units;
        }
      }
    }
    while (augment()) {
      fulfilled++;
    }
  }

  /** Distinct wishes and how often each is there; how far a replica is spread does not matter. */
  private static int group(Wish[] wishes, Wish[] distinct, int[] counts) {
    int count = 0;
    for (Wish wish : wishes) {
      int at = 0;
      while (at < count
          && (distinct[at].tiers() != wish.tiers()
              || distinct[at].slot().region() != wish.slot().region())) {
        at++;
      }
      distinct[at] = wish;
      counts[at]++;
      count = Math.max(count, at + 1);
    }
    return count;
  }

  /** Wishes that replicas fulfil now. */
  int fulfilled() {
    return fulfilled;
  }

  /** Wishes that would be fulfilled without one replica of {@code kind}. */
  int fulfilledWithout(int kind) {
    return kindReached[kind] ? fulfilled : fulfilled - 1;
  }

  /** Takes one replica of {@code kind} away. */
  void remove(int kind) {
    if (spare[kind] > 0) {
      if (--spare[kind] == 0) {
        search();
      }
      return;
    }
    int wish = 0;
    while (taken[kind][wish] == 0) {
      wish++;
    }
    taken[kind][wish]--;
    open[wish]++;
    if (augment()) {
      search();
    } else {
      fulfilled--;
    }
  }

  /** Gives one more wish a replica if that is possible, by changing who stands for what. */
  private boolean augment() {
    int wish = search();
    if (wish == NONE) {
      return false;
    }
    open[wish]--;
    while (wish != NONE) {
      int kind = kindBefore[wish];
      taken[kind][wish]++;
      wish = wishBefore[kind];
      if (wish == NONE) {
        spare[kind]--;
      } else {
        taken[kind][wish]--;
      }
    }
    return true;
  }

  /**
   * Walks from the spare replicas to the wishes that they could stand for, and on to the replicas
   * that stand for those now. An open wish that was reached, or {@link #NONE}: then each kind that
   * was reached can lose a replica without a loss.
   */
  private int search() {
    Arrays.fill(kindBefore, NONE);
    Arrays.fill(wishBefore, NONE);
    int end = 0;
    for (int kind = 0; kind < kindCount; kind++) {
      kindReached[kind] = spare[kind] > 0;
      if (kindReached[kind]) {
        queue[end++] = kind;
      }
    }
    for (int next = 0; next < end; next++) {
      int kind = queue[next];
      for (int wish = 0; wish < wishCount; wish++) {
        if (!accepts[kind][wish] || kindBefore[wish] != NONE) {
          continue;
        }
        kindBefore[wish] = kind;
        if (open[wish] > 0) {
          return wish;
        }
        for (int other = 0; other < kindCount; other++) {
          if (!kindReached[other] && taken[other][wish] > 0) {
            kindReached[other] = true;
            wishBefore[other] = wish;
            queue[end++] = other;
          }
        }
      }
    }
    return NONE;
  }
}
