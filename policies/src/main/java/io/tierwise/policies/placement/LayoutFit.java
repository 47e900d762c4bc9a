package io.tierwise.policies.placement;

import io.tierwise.core.action.Place.Choice;
import io.tierwise.core.action.Place.GivenUp;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.data.Layout.Slot;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementRequest.Avoid;
import io.tierwise.policies.placement.PlacementRequest.NodeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * How far the replicas that a block has are what its policy wants: told after the fact, and not how
 * they came to be there.
 *
 * <p>The same wishes and the same matching as when a replica is to be restored. A ratio over a file
 * tells a block's zone by its index; one over a directory cannot, because indexes change when
 * blocks go: there the zone of most replicas stands for the block's own.
 *
 * <p>It holds no view: replicas and wishes go by their numbers, from 0, in the order in which they
 * were handed in. A number out of range throws {@link IndexOutOfBoundsException}.
 */
public final class LayoutFit {
  private static final int NONE = -1;

  private final SlotPlacement policy;
  private final FileView file;
  private final Wish[] wishes;
  private final int[] wishOfReplica;

  /**
   * Compares a block's replicas with wishes. {@link SlotPlacement#fit} does it with the policy's
   * own; another caller may hand in wishes for one block alone.
   *
   * @param policy whose name, rack limit and order hold for {@link #find}
   * @param volumes one a replica; an id may be {@code ClusterView.NONE}
   * @param wishes none null, and at least as many as volumes; not to be changed later
   */
  public LayoutFit(
      SlotPlacement policy, FileView file, int[] volumes, Wish[] wishes, ClusterView view) {
    this.policy = policy;
    this.file = file;
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

  private List<Wanted> unfulfilled() {
    return Arrays.stream(openWishes()).mapToObj(wish -> wanted(wishes[wish])).toList();
  }

  /** Numbers of what no replica stands for, in the order in which it would be restored. */
  public int[] openWishes() {
    boolean[] fulfilled = new boolean[wishes.length];
    for (int wish : wishOfReplica) {
      if (wish != NONE) {
        fulfilled[wish] = true;
      }
    }
    return IntStream.range(0, wishes.length).filter(wish -> !fulfilled[wish]).toArray();
  }

  /** The number of missing replicas that may come after the write. */
  public int openAsync() {
    return (int) IntStream.of(openWishes()).filter(wish -> wishes[wish].async()).count();
  }

  /** The tiers of the table that the wish accepts: bit t is set for tier t. */
  public long tiersOf(int wish, TierTable tiers) {
    return wishes[wish].tiers() & (Wish.bit(tiers.count()) - 1);
  }

  /** Whether the volume stands in a region that the wish accepts. */
  public boolean acceptsRegionOf(int wish, int volume, ClusterView view) {
    int rack = view.rackOfNode(view.nodeOfVolume(volume));
    return wishes[wish].acceptsRegion(view.regionOfRack(rack));
  }

  /** Whether a replica on the volume would stand for the wish. */
  public boolean accepts(int wish, int volume, ClusterView view) {
    return wishes[wish].acceptsTier(view.tierOfVolume(volume))
        && acceptsRegionOf(wish, volume, view);
  }

  /** The number of the wish that the replica stands for; -1 for one that fits nowhere. */
  public int wishOf(int replica) {
    return wishOfReplica[replica];
  }

  /**
   * A volume in a tier and region that the wish accepts, on a node that holds no other replica and
   * in a rack that may hold one more.
   *
   * @param staying volumes of the block's other replicas
   * @param excluded nodes that must not be chosen beside those of {@code staying}
   * @return empty when there is none, because of room or anything else
   */
  public Optional<Integer> find(
      int wish,
      int[] staying,
      long blockBytes,
      NodeSet excluded,
      ClusterView view,
      RandomGenerator random) {
    PlacementRequest asked =
        new PlacementRequest(
            file,
            blockBytes,
            1,
            ClusterView.NONE,
            ClusterView.NONE,
            staying,
            excluded,
            Avoid.NOTHING);
    SlotFiller filler = new SlotFiller(asked, view, random, staying.length + 1, policy.rackSafe());
    Wish wanted = wishes[wish];
    if (!filler.fill(wanted.withSpread(policy.spread(wanted, filler, view)))) {
      return Optional.empty();
    }
    Choice choice = filler.decision(policy.name()).choices().get(0);
    boolean asWanted = choice.given() == GivenUp.NOTHING || choice.given() == GivenUp.SPREAD;
    return asWanted ? Optional.of(choice.volume()) : Optional.empty();
  }

  /** In how many racks the layout needs the block's replicas to stand, where there are so many. */
  public int racksNeeded(ClusterView view) {
    long others =
        Arrays.stream(wishes).filter(wish -> wish.slot().spread() == Spread.OTHER_RACK).count();
    int byHdfs = policy.rackSafe() ? 2 : 1;
    return Math.min(view.rackCount(), Math.max(byHdfs, 1 + (int) others));
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
