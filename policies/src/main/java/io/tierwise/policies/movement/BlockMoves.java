package io.tierwise.policies.movement;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.movement.MovementPlan.Reason;
import io.tierwise.policies.movement.MovementPlan.Unmoved;
import io.tierwise.policies.placement.LayoutFit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The plan of one block while it is made: its replicas as they are after the moves so far. */
final class BlockMoves {
  private static final int NONE = ClusterView.NONE;

  /** Own: see {@link LayoutMovement}. */
  private static final int DRAWS = 2;

  private final MovementRequest request;
  private final LayoutFit fit;
  private final MovementState state;
  private final ArrayClusterView view;
  private final SplittableRandom random;
  private final int[] volumes;
  private final int racksNeeded;
  private final long roomForCopyBytes;
  private final int[] wishes;

  /** The wish that each replica stands for, or -1. */
  private final int[] wishOf;

  /** The replicas that stand for none: at least one for each that will move. */
  private final int[] misfits;

  private final List<Move> moves = new ArrayList<>();
  private final List<Unmoved> unmoved = new ArrayList<>();

  BlockMoves(MovementRequest request, LayoutFit fit, MovementState state, SplittableRandom random) {
    this.request = request;
    this.fit = fit;
    this.state = state;
    this.view = state.view();
    this.random = random;
    this.volumes = request.volumes().clone();
    this.roomForCopyBytes = request.rules().roomForCopyBytes(request.blockBytes());
    this.racksNeeded = fit.racksNeeded(view);
    this.wishes = fit.openWishes();
    this.wishOf = IntStream.range(0, volumes.length).map(fit::wishOf).toArray();
    this.misfits = IntStream.range(0, volumes.length).filter(i -> wishOf[i] == NONE).toArray();
  }

  MovementPlan plan() {
    preferInside();
    int[] misfitOfWish = moveInside();
    BitSet served = new BitSet();
    for (int misfit : misfitOfWish) {
      if (misfit >= 0) {
        served.set(misfit);
      }
    }
    int wish = 0;
    for (int misfit : bySourceQueue()) {
      if (served.get(misfit)) {
        continue;
      }
      while (misfitOfWish[wish] >= 0) {
        wish++;
      }
      moveAcross(misfits[misfit], wishes[wish++]);
    }
    return new MovementPlan(moves, unmoved);
  }

  /** Of replicas that can stand for each other the one goes that can go inside its node. */
  private void preferInside() {
    for (int i = 0; i < misfits.length; i++) {
      int other = volumes[misfits[i]] == NONE || goesInside(misfits[i]) ? volumes.length : 0;
      while (other < volumes.length && !(canStandFor(misfits[i], other) && goesInside(other))) {
        other++;
      }
      if (other < volumes.length) {
        standFor(misfits[i], other);
        misfits[i] = other;
      }
    }
  }

  private boolean goesInside(int replica) {
    return Arrays.stream(wishes).anyMatch(wish -> insideTarget(replica, wish) != NONE);
  }

  /** Whether a misfit fulfils the wish that another replica stands for. */
  private boolean canStandFor(int misfit, int other) {
    return wishOf[other] != NONE && fit.accepts(wishOf[other], volumes[misfit], view);
  }

  private void standFor(int misfit, int other) {
    wishOf[misfit] = wishOf[other];
    wishOf[other] = NONE;
  }

  /** Positions in {@link #misfits}, the one whose device has least to do first. */
  private int[] bySourceQueue() {
    int[] order = new int[misfits.length];
    for (int misfit = 0; misfit < order.length; misfit++) {
      double queue = queueOf(volumes[misfits[misfit]]);
      int at = misfit;
      while (at > 0 && queueOf(volumes[misfits[order[at - 1]]]) > queue) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = misfit;
    }
    return order;
  }

  private double queueOf(int volume) {
    return volume == NONE ? Double.MAX_VALUE : state.readQueueSeconds(volume, request.blockBytes());
  }

  /**
   * Makes as many moves inside nodes as there can be.
   *
   * @return for each open wish the position in {@link #misfits} of the replica that it got, or -1
   */
  private int[] moveInside() {
    int[] misfitOfWish = new int[wishes.length];
    Arrays.fill(misfitOfWish, NONE);
    int[] targets = new int[misfits.length * wishes.length];
    Arrays.fill(targets, NONE);
    for (int misfit = 0; misfit < misfits.length; misfit++) {
      for (int wish = 0; wish < wishes.length; wish++) {
        targets[misfit * wishes.length + wish] = insideTarget(misfits[misfit], wishes[wish]);
      }
    }
    for (int misfit = 0; misfit < misfits.length; misfit++) {
      match(misfit, targets, misfitOfWish, new BitSet());
    }
    for (int wish = 0; wish < wishes.length; wish++) {
      int misfit = misfitOfWish[wish];
      if (misfit >= 0) {
        int replica = misfits[misfit];
        int to = targets[misfit * wishes.length + wish];
        make(replica, volumes[replica], to, "inside its node, to a tier that the layout misses");
      }
    }
    return misfitOfWish;
  }

  /** An augmenting path: misfits give a wish up for another one that they may have too. */
  private boolean match(int misfit, int[] targets, int[] misfitOfWish, BitSet seen) {
    for (int wish = 0; wish < wishes.length; wish++) {
      if (targets[misfit * wishes.length + wish] != NONE && !seen.get(wish)) {
        seen.set(wish);
        if (misfitOfWish[wish] == NONE || match(misfitOfWish[wish], targets, misfitOfWish, seen)) {
          misfitOfWish[wish] = misfit;
          return true;
        }
      }
    }
    return false;
  }

  private int insideTarget(int replica, int wish) {
    int from = volumes[replica];
    if (from == NONE || !fit.acceptsRegionOf(wish, from, view)) {
      return NONE;
    }
    int node = view.nodeOfVolume(from);
    for (long left = fit.tiersOf(wish, view.tiers()); left != 0; left &= left - 1) {
      int store = view.storeOfNode(node, Long.numberOfTrailingZeros(left));
      if (store != NONE && view.check(store, request.blockBytes()) == Refusal.NONE) {
        int to = view.volumeIn(store, request.blockBytes(), random.nextInt(Integer.MAX_VALUE));
        if (to != NONE && request.rules().movesInside(from, to)) {
          return to;
        }
      }
    }
    return NONE;
  }

  /** Moves a misfit to another node, or else a replica that it can stand for. */
  private void moveAcross(int misfit, int wish) {
    if (volumes[misfit] == NONE) {
      unmoved.add(new Unmoved(NONE, Reason.UNKNOWN_PLACE));
      return;
    }
    if (isFull(fit.tiersOf(wish, view.tiers()), true)) {
      unmoved.add(new Unmoved(volumes[misfit], Reason.NO_ROOM));
      return;
    }
    Reason reason = tryAcross(misfit, wish);
    for (int other = 0; reason != null && other < volumes.length; other++) {
      if (canStandFor(misfit, other) && tryAcross(other, wish) == null) {
        standFor(misfit, other);
        return;
      }
    }
    if (reason != null) {
      unmoved.add(new Unmoved(volumes[misfit], reason));
    }
  }

  /** Null when it was moved, else why not. */
  private Reason tryAcross(int replica, int wish) {
    int to = NONE;
    Reason reason = Reason.NO_NODE;
    int[] staying = allBut(replica);
    int own = view.nodeOfVolume(volumes[replica]);
    for (int draw = 0; draw < DRAWS; draw++) {
      Optional<Integer> drawn =
          fit.find(wish, staying, roomForCopyBytes, node -> node == own, view, random);
      if (drawn.isEmpty()) {
        boolean full = isFull(fit.tiersOf(wish, view.tiers()), false);
        reason = full ? Reason.NO_ROOM : reason;
        break;
      }
      int volume = drawn.get();
      Reason refused = refusal(replica, volume);
      if (refused != null) {
        reason = refused;
      } else if (to == NONE || writtenSooner(volume, to)) {
        to = volume;
      }
    }
    if (to == NONE) {
      return reason;
    }
    int source = source();
    if (source == NONE) {
      return Reason.NO_SOURCE;
    }
    make(replica, source, to, "to another node, in a tier that the layout misses");
    return null;
  }

  private boolean writtenSooner(int volume, int other) {
    return state.writeQueueSeconds(volume, request.blockBytes())
        < state.writeQueueSeconds(other, request.blockBytes());
  }

  private int[] allBut(int replica) {
    int[] staying = new int[volumes.length - 1];
    System.arraycopy(volumes, 0, staying, 0, replica);
    System.arraycopy(volumes, replica + 1, staying, replica, staying.length - replica);
    return staying;
  }

  private Reason refusal(int replica, int to) {
    int from = volumes[replica];
    int racksBefore = rackCount();
    volumes[replica] = to;
    int racks = rackCount();
    volumes[replica] = from;
    if (racks < Math.min(racksBefore, racksNeeded)) {
      return Reason.RACKS;
    }
    return request.rules().keepsCopy(from, to) ? null : Reason.UNDONE;
  }

  /** Whether no tier of the set has room: as far as that is known, or after a look at each. */
  private boolean isFull(long tiers, boolean known) {
    long bytes = roomForCopyBytes;
    for (long left = tiers; left != 0; left &= left - 1) {
      int tier = Long.numberOfTrailingZeros(left);
      if (!(known ? state.isKnownFull(tier, bytes) : state.isFull(tier, bytes))) {
        return false;
      }
    }
    return tiers != 0;
  }

  /**
   * Of the block's volumes that can be read the one that has least to do; one on a dead node when
   * all are.
   */
  private int source() {
    int best = NONE;
    for (int volume : volumes) {
      if (volume != NONE
          && request.rules().canRead(volume)
          && (best == NONE || readsSooner(volume, best))) {
        best = volume;
      }
    }
    return best;
  }

  private boolean readsSooner(int volume, int other) {
    boolean dead = isDead(volume);
    return dead == isDead(other) ? queueOf(volume) < queueOf(other) : !dead;
  }

  private boolean isDead(int volume) {
    return view.refusalOf(view.nodeOfVolume(volume)) == Refusal.DEAD;
  }

  private void make(int replica, int source, int to, String rule) {
    Cost cost = state.cost(source, to, request.blockBytes());
    Move move = new Move(LayoutMovement.NAME, rule, volumes[replica], source, to, cost);
    state.promise(move);
    moves.add(move);
    volumes[replica] = to;
  }

  private int rackCount() {
    int count = 0;
    for (int i = 0; i < volumes.length; i++) {
      int rack = rackOf(volumes[i]);
      boolean first = rack != TierTable.NONE;
      for (int j = 0; j < i && first; j++) {
        first = rackOf(volumes[j]) != rack;
      }
      count += first ? 1 : 0;
    }
    return count;
  }

  private int rackOf(int volume) {
    return volume == NONE ? NONE : view.rackOfNode(view.nodeOfVolume(volume));
  }
}
