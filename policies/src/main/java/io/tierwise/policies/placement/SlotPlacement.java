package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.data.Layout.Spread;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A policy that says what the replicas of a block should be, and leaves finding the volumes to
 * {@link SlotFiller} and telling which replica is missing or too many to {@link ReplicaMatching}.
 * All policies of this package are made so, and those of other jars can be.
 *
 * <p>What a subclass gets for its {@link #wishes}: all promises of {@link PlacementPolicy}; a new
 * copy that is what the lost replica was; the deletion that hurts the wishes least; {@link #fit},
 * by which movers and the monitor find replicas that are off. It keeps these as long as its wishes
 * follow from the arguments and its settings alone.
 */
public abstract class SlotPlacement implements PlacementPolicy {
  private final String name;
  private final boolean rackSafe;

  /**
   * @param name canonical specification: a text of which the provider makes an equal policy
   * @param rackSafe whether a rack is limited as HDFS limits it; {@code false} lets a block stand
   *     in one rack, which a NameNode then copies to another
   */
  protected SlotPlacement(String name, boolean rackSafe) {
    this.name = Objects.requireNonNull(name, "name");
    this.rackSafe = rackSafe;
  }

  /**
   * The wishes for the replicas of the block, in the order in which they are placed. Hosts ask at
   * each placement, repair and deletion, from many threads, some under a lock: the work should grow
   * with {@code total} and not with the cluster.
   *
   * @param request of which {@code existingVolumes} is empty for a new block. In questions about
   *     the replicas that a block has, {@code blockBytes} and {@code replicaCount} are 0 and the
   *     writer is unknown
   * @param total how many replicas the block has when all is done: the existing ones and the
   *     missing ones; may exceed the nodes
   * @return {@code total} wishes, none of them null; any other number fails the decision. Equal
   *     ones may be the same object. May not be changed later. The wishes of an existing block
   *     should be those that it was written by: what no replica fulfils is restored
   */
  protected abstract Wish[] wishes(PlacementRequest request, int total, ClusterView view);

  /**
   * Where the next replica goes relative to those before it: as its wish says. A policy may go by
   * the replicas that there are instead, as HDFS does ({@link SlotFiller#stockSpread}).
   *
   * @param filler which knows the replicas before it
   */
  protected Spread spread(Wish wish, SlotFiller filler, ClusterView view) {
    return wish.slot().spread();
  }

  /** Whether a rack is limited as HDFS limits it. */
  final boolean rackSafe() {
    return rackSafe;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
    int[] existing = request.existingVolumes();
    // More replicas than nodes cannot be placed, so nothing is prepared for them.
    int wanted = Math.min(request.replicaCount(), view.nodeCount());
    int total = existing.length + wanted;
    SlotFiller filler = new SlotFiller(request, view, random, total, rackSafe);
    if (wanted == 0) {
      return filler.decision(name);
    }
    OpenWishes open = OpenWishes.of(request, wishesOf(request, total, view), view);
    int async = existing.length == 0 ? open.leaveOutAsync(wanted - atOnce(request)) : 0;
    for (int i = 0; i < wanted - async; i++) {
      Wish wish = open.next();
      if (!filler.fill(wish.withSpread(spread(wish, filler, view)))) {
        break;
      }
    }
    return filler.decision(name).leavingOut(async);
  }

  /** A block that no volume was chosen for would not be written at all. */
  private static int atOnce(PlacementRequest request) {
    return Math.max(1, request.atOnceMin());
  }

  /** Of all replicas that the file should have, so that those on their way have a wish as well. */
  private Wish[] wishesOf(PlacementRequest request, int total, ClusterView view) {
    boolean again = request.existingVolumes().length > 0 || !request.pledges().isEmpty();
    int replicas = Math.min(request.file().replicaCount(), view.nodeCount());
    return checkedWishes(request, again ? Math.max(total, replicas) : total, view);
  }

  /** Policies of other jars may be wrong: hosts then show this line, and do without the policy. */
  private Wish[] checkedWishes(PlacementRequest request, int total, ClusterView view) {
    Wish[] wishes = wishes(request, total, view);
    if (wishes == null || hasNone(wishes)) {
      throw new IllegalStateException(name + " has no wish for some of " + total + " replicas");
    }
    if (wishes.length != total) {
      throw new IllegalStateException(
          name + " has " + wishes.length + " wishes for " + total + " replicas");
    }
    return wishes;
  }

  private static boolean hasNone(Wish[] wishes) {
    for (Wish wish : wishes) {
      if (wish == null) {
        return true;
      }
    }
    return false;
  }

  @Override
  public final int[] chooseExcess(
      int[] volumes, FileView file, int replicaCount, ClusterView view) {
    PlacementRequest asked = PlacementRequest.ofExisting(file, volumes);
    Wish[] wishes = checkedWishes(asked, replicaCount, view);
    return ExcessReplicas.choose(volumes, wishes, rackSafe, volumes.length - replicaCount, view);
  }

  @Override
  public final Optional<LayoutFit> fit(
      FileView file, int[] volumes, int replicaCount, ClusterView view) {
    int[] telling = indexTellsWishes() ? new int[0] : volumes;
    PlacementRequest asked = PlacementRequest.ofExisting(file, telling);
    Wish[] wishes = checkedWishes(asked, Math.max(replicaCount, volumes.length), view);
    return Optional.of(new LayoutFit(this, file, volumes, beyondNamed(wishes), view));
  }

  private Wish[] beyondNamed(Wish[] wishes) {
    int named = namedReplicas();
    if (wishes.length <= named) {
      return wishes;
    }
    Wish[] stored = wishes.clone();
    Arrays.fill(stored, named, stored.length, Wish.ANYTHING);
    return stored;
  }

  /**
   * The number of replicas that it names a place for. A stored replica beyond these may stand
   * anywhere: it is there for a snapshot, or until HDFS drops it, and is not worth a move.
   */
  int namedReplicas() {
    return Integer.MAX_VALUE;
  }

  /**
   * Whether a block's wishes follow from its index also when its replicas are elsewhere. Then
   * {@link #fit} asks for them as if the block had no replica; else {@link #wishes} is told those
   * that there are, and may go by them.
   */
  protected boolean indexTellsWishes() {
    return false;
  }

  @Override
  public final String toString() {
    return name;
  }
}
