package io.tierwise.policies.placement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The replicas that go when a block has too many: one after the other the one whose loss costs
 * least, counted in this order: nodes kept; two racks kept; wishes of the layout still fulfilled;
 * racks kept; a tier that holds another replica; the slowest tier. Of equals the last.
 *
 * <p>Two racks come before the layout because a NameNode that finds a block in one rack copies it
 * to another at once: dropping that copy again for the layout's sake would never end.
 *
 * <p>A NameNode asks under its write lock, with up to 512 replicas a block. So each replica is
 * looked up once, all are matched once, and replicas whose loss costs the same stand in one heap:
 * dropping one looks at the heaps, not at the replicas.
 */
final class ExcessReplicas {
  private static final int SAFE_RACKS = 2;

  private final ReplicaPlaces places;
  private final boolean rackSafe;
  private final int[] kinds;
  private final int[] tierOfKind;
  private final int[] tierNumberOfKind;
  private final WishBalance balance;
  private final Tally inNode;
  private final Tally inRack;
  private final Tally inTier;

  /** Replicas by kind, by whether their node holds another one, and by whether their rack does. */
  private final BitSet[] heaps;

  private final int[] heapOf;

  private ExcessReplicas(ReplicaPlaces places, Wish[] wishes, boolean rackSafe) {
    this.places = places;
    this.rackSafe = rackSafe;
    int count = places.count();
    kinds = new int[count];
    DenseIds kindIds = new DenseIds(count);
    int[] tiers = new int[count];
    int[] regions = new int[count];
    int[] counts = new int[count];
    for (int i = 0; i < count; i++) {
      if (places.known()[i]) {
        int tier = places.tiers()[i];
        int kind = kindIds.of((long) places.regions()[i] << 32 | (tier & 0xFFFF_FFFFL));
        kinds[i] = kind;
        tiers[kind] = tier;
        regions[kind] = places.regions()[i];
        counts[kind]++;
      }
    }
    int kindCount = kindIds.count();
    tierOfKind = Arrays.copyOf(tiers, kindCount);
    balance = new WishBalance(tiers, regions, Arrays.copyOf(counts, kindCount), wishes);
    inNode = new Tally(places.nodes(), places.known());
    inRack = new Tally(places.racks(), places.known());
    inTier = new Tally(places.tiers(), places.known());
    tierNumberOfKind = new int[kindCount];
    heaps = new BitSet[4 * kindCount];
    heapOf = new int[count];
    for (int i = 0; i < count; i++) {
      if (places.known()[i]) {
        tierNumberOfKind[kinds[i]] = inTier.numberOf[i];
        putOnHeap(i);
      }
    }
  }

  /**
   * Indexes into {@code volumes} of {@code count} replicas, in the order in which they go. Replicas
   * at an unknown place go last: nobody can say what their loss costs.
   */
  static int[] choose(int[] volumes, Wish[] wishes, boolean rackSafe, int count, ClusterView view) {
    ReplicaPlaces places = ReplicaPlaces.of(volumes, view);
    ExcessReplicas excess = new ExcessReplicas(places, wishes, rackSafe);
    int[] dropped = new int[count];
    int unknown = 0;
    for (int i = 0; i < count; i++) {
      int replica = excess.cheapest();
      if (replica >= 0) {
        excess.drop(replica);
      } else {
        while (places.known()[unknown]) {
          unknown++;
        }
        replica = unknown++;
      }
      dropped[i] = replica;
    }
    return dropped;
  }

  /** The replica whose loss costs least, or -1 when all known ones are gone. */
  private int cheapest() {
    int best = -1;
    long bestScore = Long.MIN_VALUE;
    for (int heap = 0; heap < heaps.length; heap++) {
      int last = heaps[heap] == null ? -1 : heaps[heap].length() - 1;
      if (last >= 0) {
        long score = score(heap);
        if (score > bestScore || (score == bestScore && last > best)) {
          best = last;
          bestScore = score;
        }
      }
    }
    return best;
  }

  /** The block's worth without a replica of the heap, most important first, in digits of 1,024. */
  private long score(int heap) {
    int kind = heap >> 2;
    int racks = inRack.filled - ((heap & 1) == 0 ? 1 : 0);
    int tier = tierOfKind[kind];
    long score = (heap & 2) != 0 ? 1 : 0;
    score = digit(score, rackSafe ? Math.min(racks, SAFE_RACKS) : 0);
    score = digit(score, balance.fulfilledWithout(kind));
    score = digit(score, racks);
    score = digit(score, inTier.counts[tierNumberOfKind[kind]] > 1 ? 1 : 0);
    return digit(score, tier == TierTable.NONE ? Long.SIZE : tier);
  }

  private static long digit(long score, int value) {
    return score * 1024 + Math.min(value, 1023);
  }

  private void putOnHeap(int replica) {
    int heap = 4 * kinds[replica];
    heap += inNode.isShared(replica) ? 2 : 0;
    heap += inRack.isShared(replica) ? 1 : 0;
    if (heaps[heap] == null) {
      heaps[heap] = new BitSet(places.count());
    }
    heaps[heap].set(replica);
    heapOf[replica] = heap;
  }

  private void drop(int replica) {
    heaps[heapOf[replica]].clear(replica);
    balance.remove(kinds[replica]);
    inTier.remove(replica);
    moveToItsHeap(inNode.remove(replica));
    moveToItsHeap(inRack.remove(replica));
  }

  /** A replica that has become the only one of its node or rack. */
  private void moveToItsHeap(int replica) {
    if (replica >= 0) {
      heaps[heapOf[replica]].clear(replica);
      putOnHeap(replica);
    }
  }

  /** Counts the replicas at each of some places. */
  private static final class Tally {
    private final int[] numberOf;
    private final int[] counts;

    /** Of the replicas at the place; the sum is the replica where one is left. */
    private final int[] sums;

    private int filled;

    Tally(int[] placeOf, boolean[] known) {
      numberOf = new int[placeOf.length];
      counts = new int[placeOf.length];
      sums = new int[placeOf.length];
      DenseIds ids = new DenseIds(placeOf.length);
      for (int i = 0; i < placeOf.length; i++) {
        if (known[i]) {
          numberOf[i] = ids.of(placeOf[i]);
          counts[numberOf[i]]++;
          sums[numberOf[i]] += i;
        }
      }
      filled = ids.count();
    }

    boolean isShared(int replica) {
      return counts[numberOf[replica]] > 1;
    }

    /** The replica that now stands alone where this one stood, or -1. */
    int remove(int replica) {
      int number = numberOf[replica];
      sums[number] -= replica;
      counts[number]--;
      filled -= counts[number] == 0 ? 1 : 0;
      return counts[number] == 1 ? sums[number] : -1;
    }
  }
}
