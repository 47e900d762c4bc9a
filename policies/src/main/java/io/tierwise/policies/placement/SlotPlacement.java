package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A policy that says what the replicas of a block should be, and leaves finding the volumes to
 * {@link SlotFiller} and telling which replica is missing or too many to {@link ReplicaMatching}.
 */
abstract class SlotPlacement implements PlacementPolicy {
  private final String name;
  private final boolean rackSafe;

  /**
   * @param name canonical specification
   * @param rackSafe whether a rack is limited as HDFS limits it
   */
  SlotPlacement(String name, boolean rackSafe) {
    this.name = Objects.requireNonNull(name, "name");
    this.rackSafe = rackSafe;
  }

  /**
   * The wishes for the replicas of the block, in the order in which they are placed.
   *
   * @param total how many: the existing replicas and the missing ones
   */
  abstract Wish[] wishes(PlacementRequest request, int total, ClusterView view);

  /**
   * Whether a replica's place follows HDFS's own order, by the number of replicas before it,
   * instead of the wish's spread.
   */
  abstract boolean spreadsAsStock(ClusterView view);

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
    boolean asStock = spreadsAsStock(view);
    for (int i = 0; i < wanted - async; i++) {
      Wish wish = open.next();
      if (!filler.fill(asStock ? wish.withSpread(filler.stockSpread()) : wish)) {
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
    return wishes(request, again ? Math.max(total, replicas) : total, view);
  }

  @Override
  public final int[] chooseExcess(
      int[] volumes, FileView file, int replicaCount, ClusterView view) {
    PlacementRequest asked = PlacementRequest.ofExisting(file, volumes);
    Wish[] wishes = wishes(asked, replicaCount, view);
    return ExcessReplicas.choose(volumes, wishes, rackSafe, volumes.length - replicaCount, view);
  }

  @Override
  public final Optional<LayoutFit> fit(
      FileView file, int[] volumes, int replicaCount, ClusterView view) {
    int[] telling = indexTellsWishes() ? new int[0] : volumes;
    PlacementRequest asked = PlacementRequest.ofExisting(file, telling);
    Wish[] wishes = wishes(asked, Math.max(replicaCount, volumes.length), view);
    return Optional.of(new LayoutFit(this, file, volumes, wishes, view));
  }

  /** Whether a block's wishes follow from its index also when its replicas are elsewhere. */
  boolean indexTellsWishes() {
    return false;
  }

  @Override
  public final String toString() {
    return name;
  }
}
