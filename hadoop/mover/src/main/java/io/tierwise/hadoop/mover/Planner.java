package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Move;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileUse;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.Refusal;
import io.tierwise.policies.movement.LayoutMovement;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.movement.MovementPlan;
import io.tierwise.policies.movement.MovementRequest;
import io.tierwise.policies.movement.MovementState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;

/**
 * Plans blocks against the cluster as the NameNode told it last. The list of volumes is asked for
 * again when it is old, and what moves on their way will take is kept off it. Safe for many
 * threads.
 */
final class Planner {
  /** Asks for the cluster's volumes. */
  @FunctionalInterface
  interface Volumes {
    DatanodeStorageReport[] read() throws IOException;
  }

  private final Volumes volumes;
  private final ClusterSnapshot.Names names;
  private final double keptFreeShare;
  private final LayoutMovement movement = new LayoutMovement();
  private final Map<PlannedMove, Move> promised = new LinkedHashMap<>();
  private final Map<String, Refusal> refused = new LinkedHashMap<>();
  private ClusterSnapshot cluster;
  private MovementState state;
  private long readNanos;

  Planner(Volumes volumes, ClusterSnapshot.Names names, double keptFreeShare) throws IOException {
    this.volumes = volumes;
    this.names = names;
    this.keptFreeShare = keptFreeShare;
    read();
  }

  /** The moves of a block and what of it stays, by reason. */
  record Planned(List<PlannedMove> moves, List<MovementPlan.Reason> unmoved) {}

  synchronized Planned plan(BlockWork work, LocatedBlock block) throws IOException {
    if (System.nanoTime() - readNanos > MovementLimits.VIEW_AGE_NANOS_MAX) {
      read();
    }
    FileToMove file = work.file();
    HdfsRules rules =
        new HdfsRules(cluster, file, block)
            .without(work.failedTargets(), work.failedSources())
            .readingLast(work.closedSources(), cluster.volumesOf(block));
    FileView view =
        new FileView(
            file.status().getFileId(),
            work.index(),
            file.status().getReplication(),
            useOf(file.status()));
    MovementPlan plan =
        movement.plan(
            new MovementRequest(
                file.wanted(), view, block.getBlockSize(), cluster.volumesOf(block), rules),
            state);
    List<PlannedMove> moves = new ArrayList<>();
    for (Move move : plan.moves()) {
      PlannedMove planned =
          new PlannedMove(
              work,
              block.getBlockSize(),
              cluster.endpoint(move.from()),
              cluster.endpoint(move.source()),
              cluster.endpoint(move.to()),
              move);
      moves.add(planned);
      promised.put(planned, move);
    }
    return new Planned(moves, plan.unmoved().stream().map(MovementPlan.Unmoved::reason).toList());
  }

  /** HDFS notes reads to the hour ({@code dfs.namenode.accesstime.precision}), or not at all. */
  static FileUse useOf(HdfsFileStatus status) {
    return FileUse.of(status.getLen(), status.getModificationTime(), status.getAccessTime());
  }

  /** A move is in place: its devices are free, its room is taken. */
  synchronized void done(PlannedMove planned) {
    Move move = promised.remove(planned);
    if (move != null) {
      state.done(move);
    }
  }

  /** A move will not be made. */
  synchronized void withdraw(PlannedMove planned) {
    Move move = promised.remove(planned);
    if (move != null) {
      state.withdraw(move);
    }
  }

  /** A move failed: a node that cannot be reached gets no blocks from now on. */
  void note(PlannedMove move, MoveFailure.Kind kind) {
    if (kind == MoveFailure.Kind.TARGET_LOST) {
      markDead(move.to());
    } else if (kind == MoveFailure.Kind.SOURCE_LOST) {
      markDead(move.source());
    }
  }

  private synchronized void markDead(Endpoint endpoint) {
    refused.put(endpoint.nodeId(), Refusal.DEAD);
    cluster.refuse(endpoint.nodeId(), Refusal.DEAD);
  }

  synchronized int nodeCount() {
    return cluster.view().nodeCount();
  }

  private void read() throws IOException {
    cluster = ClusterSnapshot.of(volumes.read(), names, keptFreeShare);
    refused.forEach(cluster::refuse);
    state = new MovementState(cluster.view(), cluster.load());
    readNanos = System.nanoTime();
    promised.entrySet().removeIf(entry -> !promiseAgain(entry));
  }

  /** Whether the volumes of the move are still there. */
  private boolean promiseAgain(Map.Entry<PlannedMove, Move> entry) {
    int from = cluster.volumeOf(entry.getKey().from());
    int source = cluster.volumeOf(entry.getKey().source());
    int to = cluster.volumeOf(entry.getKey().to());
    if (from == ClusterView.NONE || source == ClusterView.NONE || to == ClusterView.NONE) {
      return false;
    }
    Move old = entry.getValue();
    Move move = new Move(old.policy(), old.rule(), from, source, to, old.cost());
    entry.setValue(move);
    state.promise(move);
    return true;
  }
}
