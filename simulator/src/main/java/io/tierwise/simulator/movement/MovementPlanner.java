package io.tierwise.simulator.movement;

import io.tierwise.core.action.Move;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.LoadView;
import io.tierwise.policies.movement.LayoutMovement;
import io.tierwise.policies.movement.MovementPlan;
import io.tierwise.policies.movement.MovementRequest;
import io.tierwise.policies.movement.MovementState;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Plans blocks against the cluster as it was when it was looked at last, as the live planner does:
 * what moves on their way will take is kept off it.
 */
final class MovementPlanner {
  private final VirtualCluster cluster;
  private final Namespace namespace;
  private final LoadView load;
  private final double keptFreeShare;
  private final LayoutMovement movement = new LayoutMovement();
  private final Set<ReplicaMove> promised = new LinkedHashSet<>();
  private MovementState state;

  MovementPlanner(
      VirtualCluster cluster, Namespace namespace, LoadView load, double keptFreeShare) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.load = load;
    this.keptFreeShare = keptFreeShare;
    look();
  }

  /** Looks at the cluster anew. */
  void look() {
    ArrayClusterView view = cluster.view().copy();
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      long capacity = cluster.volume(cluster.volumeOfView(volume)).capacityBytes();
      long kept = (long) (keptFreeShare * (double) capacity);
      view.setFreeBytes(volume, Math.max(0, view.freeBytes(volume) - kept));
    }
    state = new MovementState(view, load);
    for (ReplicaMove move : promised) {
      if (move.isStarted()) {
        int to = move.decision().to();
        view.setFreeBytes(to, view.freeBytes(to) + move.bytes());
      }
      state.promise(move.decision());
    }
  }

  MovementPlan plan(BlockWork work, PlacementPolicy wanted) {
    StoredFile file = work.file();
    int[] volumes =
        Arrays.stream(namespace.wholeReplicas(work.block()))
            .map(volume -> cluster.volume(volume).viewVolume())
            .toArray();
    FileView asked =
        new FileView(
            file.fileIdOf(work.index()),
            file.indexInPart(work.index()),
            file.replication(),
            file.use());
    return movement.plan(new MovementRequest(wanted, asked, work.bytes(), volumes, work), state);
  }

  ReplicaMove move(BlockWork work, Move decision) {
    ReplicaMove move = new ReplicaMove(work, decision, decision.insideNode(state.view()));
    promised.add(move);
    return move;
  }

  /** A move is in place: its devices are free, its room is taken. */
  void done(ReplicaMove move) {
    if (promised.remove(move)) {
      state.done(move.decision());
    }
  }

  /** A move will not be made. */
  void withdraw(ReplicaMove move) {
    if (promised.remove(move)) {
      state.withdraw(move.decision());
    }
  }
}
