package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The engine behind every policy: fills the slots of one request, one after the other. {@link
 * SlotPlacement} drives it; a policy that chooses a wish by what the earlier ones got drives it
 * itself: {@link #fill} once a replica, then {@link #decision}.
 *
 * <p>A slot is looked for in the order of {@link GivenUp}: as wanted, then with less and less of
 * the wish. Each look is a union of exact store id ranges (tier, racks, region; racks that hold
 * enough replicas cut out): a few random probes, and only when all of them are refused a walk over
 * the whole union. So a decision costs the same at any cluster size, and yet a store that could
 * take the block is always found.
 *
 * <p>Failure domains (upgrade domains) are a bound like a node: what would repeat one is refused
 * and nothing is given up for it, as HDFS's own class for them leaves a replica out then.
 *
 * <p>Promised: no two replicas on one node, no volume that refuses, no excluded node, no volume
 * beyond the request's allowance; the same answers from the same view and generator. Not promised:
 * how many numbers are drawn, and so the choice of equals by another version.
 *
 * <p>One filler serves one decision on one thread. It reads the view and changes nothing.
 */
public final class SlotFiller {
  /**
   * Probes before the walk. Own: with half of the stores refusing, one decision in 4,096 walks; a
   * probe costs about 20 ns.
   */
  static final int PROBES_MAX = 12;

  private final PlacementRequest request;
  private final ClusterView view;
  private final RandomGenerator random;
  private final int writerRack;
  private final int rackLimit;
  private final int slotCount;
  private final long tableTiers;
  private final ReplicaSet replicas;
  private final StoreRanges ranges = new StoreRanges();
  private final Refusals refusals = new Refusals();
  private final Choice[] choices;
  private int choiceCount;
  private long wished;
  private boolean avoiding;
  private int volumeFound;

  /**
   * @param random drawn from for each slot that has more than one candidate
   * @param total replicas of the block when the request is fulfilled, the existing ones included
   * @param rackSafe whether racks are limited as HDFS limits them; otherwise any rack may hold all
   * @throws IllegalArgumentException when {@code total} is less than the existing replicas
   */
  public SlotFiller(
      PlacementRequest request,
      ClusterView view,
      RandomGenerator random,
      int total,
      boolean rackSafe) {
    this.request = request;
    this.view = view;
    this.random = random;
    this.writerRack = Writers.rack(request, view);
    this.rackLimit = rackSafe ? RackLimit.of(total, view) : RackLimit.UNLIMITED;
    this.slotCount = total - request.existingVolumes().length;
    if (slotCount < 0) {
      throw new IllegalArgumentException(
          total + " replicas in all, and " + request.existingVolumes().length + " exist");
    }
    this.tableTiers = Wish.bit(view.tiers().count()) - 1;
    this.replicas = ReplicaSet.of(request.existingVolumes(), total, view);
    this.choices = new Choice[slotCount];
    if (request.avoid() == Avoid.WRITER_RACK && writerRack != ClusterView.NONE) {
      replicas.noteRack(writerRack);
    }
  }

  /**
   * Where the next replica goes by HDFS's own order: writer's node; another rack; the rack of one
   * of the two (another rack when both share one); then anywhere.
   *
   * <p>Source: Apache Hadoop 3.5.0, {@code BlockPlacementPolicyDefault.chooseTargetInOrder}.
   */
  public Spread stockSpread() {
    boolean crowded = replicas.count() == 2 && replicas.rackCount() == 1;
    return crowded ? Spread.OTHER_RACK : StockOrder.spread(replicas.count());
  }

  /** As {@link #stockSpread}, but the third replica goes to a third rack where there is one. */
  public Spread threeRackSpread() {
    boolean third = replicas.count() == 2 && view.rackCount() > 2;
    return third ? Spread.OTHER_RACK : stockSpread();
  }

  /**
   * Fills one slot.
   *
   * @return false when no volume of the cluster takes the block, whatever is given up; then no
   *     other wish finds one either
   * @throws IllegalStateException when as many slots are filled as replicas were missing
   */
  public boolean fill(Wish wish) {
    if (choiceCount == slotCount) {
      throw new IllegalStateException("all " + slotCount + " slots are filled");
    }
    wished = wish.tiers() & tableTiers;
    avoiding = request.avoid() != Avoid.NOTHING;
    GivenUp given = avoiding ? search(wish) : null;
    if (given == null) {
      avoiding = false;
      given = search(wish);
    }
    if (given == null) {
      given = searchBeyondRackLimit(wish);
    }
    if (given == null) {
      return false;
    }
    int node = view.nodeOfVolume(volumeFound);
    replicas.add(node, view.rackOfNode(node));
    choices[choiceCount++] = choice(wish, given);
    return true;
  }

  private Choice choice(Wish wish, GivenUp given) {
    if (wished == 0 || wish.acceptsTier(view.tierOfVolume(volumeFound))) {
      return new Choice(volumeFound, wish.slot(), given);
    }
    int tier = Wish.slowestOf(wished);
    return new Choice(volumeFound, wish.slot(), given, tier, refusals.reason(tier, view));
  }

  /**
   * What was filled so far, in that order, each with what was given up for it.
   *
   * @param policy the deciding policy's name
   */
  public Place decision(String policy) {
    boolean complete = choiceCount == choices.length;
    Choice[] made = complete ? choices : Arrays.copyOf(choices, choiceCount);
    return new Place(policy, List.of(made));
  }

  /** Goes through the relaxations that keep the rack limit; null when none finds a volume. */
  private GivenUp search(Wish wish) {
    long tiers = wished;
    int region = wish.slot().region();
    Spread spread = wish.slot().spread();
    if (find(tiers, region, spread)) {
      return GivenUp.NOTHING;
    }
    boolean spreads = spread != Spread.ANYWHERE;
    if (spreads && find(tiers, region, Spread.ANYWHERE)) {
      return GivenUp.SPREAD;
    }
    if (findInFallback(tiers, region, spread)) {
      return GivenUp.TIER;
    }
    if (spreads && findInFallback(tiers, region, Spread.ANYWHERE)) {
      return GivenUp.TIER_AND_SPREAD;
    }
    if (region != Slot.ANY
        && (find(tiers, Slot.ANY, Spread.ANYWHERE)
            || findInFallback(tiers, Slot.ANY, Spread.ANYWHERE))) {
      return GivenUp.REGION;
    }
    return null;
  }

  private GivenUp searchBeyondRackLimit(Wish wish) {
    int region = wish.slot().region();
    boolean found =
        findInRacks(wished, regionStart(region), regionEnd(region), RackLimit.UNLIMITED)
            || findInRacks(wished, 0, view.rackCount(), RackLimit.UNLIMITED)
            || findInRacks(tableTiers, 0, view.rackCount(), RackLimit.UNLIMITED);
    return found ? GivenUp.RACK_LIMIT : null;
  }

  /**
   * Tries the tiers that stand in for {@code tiers}, in the administrator's order, then the rest.
   */
  private boolean findInFallback(long tiers, int region, Spread spread) {
    long left = tableTiers & ~tiers;
    if (left == 0) {
      return false;
    }
    if (tiers != 0) {
      // A zone falls back as its slowest tier does: the scarce fast tiers are asked last.
      List<Integer> fallback = view.tiers().tier(Wish.slowestOf(tiers)).fallback();
      for (int i = 0; i < fallback.size(); i++) {
        long next = Wish.bit(fallback.get(i)) & left;
        left &= ~next;
        if (next != 0 && find(next, region, spread)) {
          return true;
        }
      }
    }
    return left != 0 && find(left, region, spread);
  }

  private boolean find(long tiers, int region, Spread spread) {
    int from = regionStart(region);
    int to = regionEnd(region);
    return switch (spread) {
      case ANYWHERE -> findInRacks(tiers, from, to, nextRackLimit());
      case OTHER_RACK -> findInRacks(tiers, from, to, Math.min(1, nextRackLimit()));
      case SHARED_RACK -> findInSharedRack(tiers, from, to);
      case WRITER_NODE -> findAtWriter(tiers, from, to);
    };
  }

  /**
   * The rack limit for the slot at hand. The last slot stays out of the one rack that is known to
   * hold replicas when others stand at unknown places: those may be in that rack too.
   */
  private int nextRackLimit() {
    boolean last = choiceCount == slotCount - 1;
    boolean doubtful = replicas.unknownCount() > 0 && replicas.rackCount() == 1;
    return rackLimit != RackLimit.UNLIMITED && last && doubtful ? 1 : rackLimit;
  }

  private int regionStart(int region) {
    if (region == Slot.ANY) {
      return 0;
    }
    return region < view.regionCount() ? view.rackStart(region) : view.rackCount();
  }

  private int regionEnd(int region) {
    if (region == Slot.ANY || region >= view.regionCount()) {
      return view.rackCount();
    }
    return view.rackStart(region + 1);
  }

  private boolean findAtWriter(long tiers, int from, int to) {
    if (writerRack == ClusterView.NONE || writerRack < from || writerRack >= to) {
      return findInRacks(tiers, from, to, nextRackLimit());
    }
    if (mayTakeFrom(writerRack) && findOnNode(tiers, request.writerNode())) {
      return true;
    }
    return findInRacks(tiers, writerRack, writerRack + 1, nextRackLimit());
  }

  private boolean findOnNode(long tiers, int node) {
    if (node == ClusterView.NONE) {
      return false;
    }
    ranges.clear();
    for (long left = tiers; left != 0; left &= left - 1) {
      int store = view.storeOfNode(node, Long.numberOfTrailingZeros(left));
      if (store != ClusterView.NONE) {
        ranges.add(store, store + 1);
      }
    }
    return walk(tiers);
  }

  /** In a rack that holds a replica: a new copy's source first, then the latest replica's. */
  private boolean findInSharedRack(long tiers, int from, int to) {
    if (replicas.knownCount() == 0) {
      return findInRacks(tiers, from, to, nextRackLimit());
    }
    boolean again = request.existingVolumes().length > 0;
    if (again
        && writerRack >= from
        && writerRack < to
        && replicas.countInRack(writerRack) > 0
        && findInRacks(tiers, writerRack, writerRack + 1, nextRackLimit())) {
      return true;
    }
    for (int i = replicas.knownCount() - 1; i >= 0; i--) {
      int rack = replicas.rackOfReplica(i);
      boolean tried = i + 1 < replicas.knownCount() && replicas.rackOfReplica(i + 1) == rack;
      if (!tried
          && rack >= from
          && rack < to
          && findInRacks(tiers, rack, rack + 1, nextRackLimit())) {
        return true;
      }
    }
    return false;
  }

  private boolean mayTakeFrom(int rack) {
    boolean avoided = avoiding && request.avoid() == Avoid.WRITER_RACK && rack == writerRack;
    return !avoided && replicas.countInRack(rack) < nextRackLimit();
  }

  /** Looks in racks {@code from} to before {@code to}, without those that hold {@code limit}. */
  private boolean findInRacks(long tiers, int from, int to, int limit) {
    ranges.clear();
    if (tiers == wished) {
      refusals.clear();
    }
    for (long left = tiers; left != 0; left &= left - 1) {
      addCells(Long.numberOfTrailingZeros(left), from, to, limit);
    }
    return probe() || walk(tiers);
  }

  private void addCells(int tier, int from, int to, int limit) {
    int avoidedRack =
        avoiding && request.avoid() == Avoid.WRITER_RACK ? writerRack : ClusterView.NONE;
    int start = from;
    for (int entry = 0; entry < replicas.rackEntries(); entry++) {
      int rack = replicas.rackOfEntry(entry);
      boolean cut = replicas.countOfEntry(entry) >= limit || rack == avoidedRack;
      if (cut && rack >= start && rack < to) {
        ranges.add(view.cellStart(tier, start), view.cellStart(tier, rack));
        start = rack + 1;
        noteCut(tier, rack, entry);
      }
    }
    if (start < to) {
      ranges.add(view.cellStart(tier, start), view.cellStart(tier, to));
    }
  }

  /** A rack that was left out although a node there may have no replica. */
  private void noteCut(int tier, int rack, int entry) {
    int stores = view.cellStart(tier, rack + 1) - view.cellStart(tier, rack);
    if ((wished & Wish.bit(tier)) != 0 && stores > replicas.countOfEntry(entry)) {
      refusals.noteRackCut();
    }
  }

  private boolean probe() {
    int size = ranges.size();
    if (size <= 1) {
      return false;
    }
    for (int i = 0; i < PROBES_MAX; i++) {
      if (accepts(ranges.at(random.nextInt(size)), false)) {
        return true;
      }
    }
    return false;
  }

  /** Asks every store once; what those of the wished tiers answer is noted. */
  private boolean walk(long tiers) {
    int size = ranges.size();
    if (size == 0) {
      return false;
    }
    int position = size == 1 ? 0 : random.nextInt(size);
    for (int i = 0; i < size; i++) {
      if (accepts(ranges.at(position), tiers == wished)) {
        return true;
      }
      position = position + 1 == size ? 0 : position + 1;
    }
    return false;
  }

  private boolean accepts(int store, boolean noted) {
    int node = view.nodeOfStore(store);
    if (replicas.holdsNode(node)) {
      return false;
    }
    boolean excluded =
        request.excluded().contains(node) || (avoiding && node == request.avoidedNode());
    Refusal refusal =
        excluded
            ? Refusal.EXCLUDED
            : replicas.repeatsDomainOf(node, view)
                ? Refusal.DOMAIN
                : view.check(store, request.blockBytes());
    if (refusal == Refusal.NONE) {
      int draw = random.nextInt() & Integer.MAX_VALUE;
      int volume = view.volumeIn(store, request.blockBytes(), draw);
      if (volume == ClusterView.NONE) {
        refusal = Refusal.FULL;
      } else if (AllowanceUse.allows(request.allowance(), volume, choices, choiceCount)) {
        volumeFound = volume;
        return true;
      } else {
        refusal = Refusal.QUOTA;
      }
    }
    if (noted) {
      refusals.note(refusal);
    }
    return false;
  }
}
