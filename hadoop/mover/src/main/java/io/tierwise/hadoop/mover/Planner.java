package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Move;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileUse;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.movement.LayoutMovement;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.movement.MovementPlan;
import io.tierwise.policies.movement.MovementRequest;
import io.tierwise.policies.movement.MovementState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;

/**
 * Plans blocks against the cluster as the NameNode told it last. A run's list of volumes is asked
 * for again when it is old, and what moves on their way will take is kept off it. Safe for many
 * threads.
 */
final class Planner {
  /** Asks for the cluster's volumes. */
  @FunctionalInterface
  interface Volumes {
    DatanodeStorageReport[] read() throws IOException;
  }

  private static final long NEVER_OLD = Long.MAX_VALUE;

  /** Own: five minutes by default, as long as for an answer. */
  private static final int BUSY_FACTOR = 5;

  private static final Set<MovementPlan.Reason> FOR_LACK_OF_NODES =
      EnumSet.of(MovementPlan.Reason.NO_NODE, MovementPlan.Reason.RACKS);

  private final Volumes volumes;
  private final ClusterSnapshot.Names names;
  private final double keptFreeShare;
  private final LongSupplier nanos;
  private final long viewAgeNanosMax;
  private final LayoutMovement movement = new LayoutMovement();
  private final LostNodes lost;
  private final Avoided avoided;
  private final long busyNanosMax;

  /** The moves on their way; a plan of one moment keeps none. */
  private final Map<PlannedMove, Move> promised = new LinkedHashMap<>();

  private ClusterSnapshot cluster;
  private MovementState state;
  private long readNanos;

  private Planner(
      Volumes volumes,
      ClusterSnapshot.Names names,
      double keptFreeShare,
      LostNodes lost,
      Avoided avoided,
      long busyNanosMax,
      LongSupplier nanos,
      long viewAgeNanosMax)
      throws IOException {
    this.volumes = volumes;
    this.names = names;
    this.keptFreeShare = keptFreeShare;
    this.lost = lost;
    this.avoided = avoided;
    this.busyNanosMax = busyNanosMax;
    this.nanos = nanos;
    this.viewAgeNanosMax = viewAgeNanosMax;
    read();
  }

  /**
   * Plans moves that are made meanwhile: each is to be {@link #done} or {@linkplain #withdraw
   * withdrawn}.
   *
   * @param avoided is told what is to be avoided, and may know some of it already
   */
  static Planner ofRun(
      Volumes volumes, ClusterSnapshot.Names names, MoverSettings settings, Avoided avoided)
      throws IOException {
    return ofRun(volumes, names, settings, avoided, System::nanoTime);
  }

  /**
   * The same by another clock.
   *
   * @param nanos of the clock
   */
  static Planner ofRun(
      Volumes volumes,
      ClusterSnapshot.Names names,
      MoverSettings settings,
      Avoided avoided,
      LongSupplier nanos)
      throws IOException {
    long patienceNanos = (long) (settings.patienceSeconds() * 1e9);
    avoided.runBegins();
    return new Planner(
        volumes,
        names,
        settings.limits().keptFreeShare(),
        new LostNodes(patienceNanos),
        avoided,
        BUSY_FACTOR * patienceNanos,
        nanos,
        MovementLimits.VIEW_AGE_NANOS_MAX);
  }

  /**
   * Plans moves that nobody makes, against the cluster as it is now. What they would take is kept
   * off its room, and of themselves nothing is kept: memory does not grow with their number.
   */
  static Planner ofMoment(Volumes volumes, ClusterSnapshot.Names names, MoverSettings settings)
      throws IOException {
    return new Planner(
        volumes,
        names,
        settings.limits().keptFreeShare(),
        new LostNodes(0),
        new Avoided(line -> {}),
        0,
        System::nanoTime,
        NEVER_OLD);
  }

  /**
   * The moves of a block and what of it stays, by reason.
   *
   * @param mayComeBack whether something stays only for a node that could not be reached, and may
   *     be back soon
   */
  record Planned(List<PlannedMove> moves, List<MovementPlan.Reason> unmoved, boolean mayComeBack) {
    /** Whether nothing is to be moved. */
    boolean asWanted() {
      return moves.isEmpty() && unmoved.isEmpty();
    }
  }

  synchronized Planned plan(BlockWork work, LocatedBlock block) throws IOException {
    if (nanos.getAsLong() - readNanos > viewAgeNanosMax || isToLookForLostNodes()) {
      read();
    }
    FileToMove file = work.file();
    HdfsRules rules =
        new HdfsRules(cluster, file, block)
            .without(work.failedTargets(), work.failedSources())
            .avoiding(volume -> avoided.isAvoided(volume, nanos.getAsLong()))
            .readingLast(work.closedSources(), cluster.volumesOf(block));
    FileView view =
        new FileView(
            file.status().getFileId(), work.index(), file.replicas(), useOf(file.status()));
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
      if (viewAgeNanosMax != NEVER_OLD) {
        promised.put(planned, move);
      }
    }
    List<MovementPlan.Reason> unmoved =
        plan.unmoved().stream().map(MovementPlan.Unmoved::reason).toList();
    if (!unmoved.isEmpty()) {
      long now = nanos.getAsLong();
      work.staysFor(avoided.why(cluster.endpointsOf(block), now), avoided.whyAny(now));
    }
    boolean mayComeBack =
        unmoved.stream().anyMatch(FOR_LACK_OF_NODES::contains)
            && lost.anyIsWaitedFor(nanos.getAsLong());
    return new Planned(moves, unmoved, mayComeBack);
  }

  private boolean isToLookForLostNodes() {
    return lost.any() && nanos.getAsLong() - readNanos > LostNodes.AWAY_NANOS_MIN;
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
    lost.made(planned.to().nodeId());
    lost.made(planned.source().nodeId());
  }

  /** A move will not be made. */
  synchronized void withdraw(PlannedMove planned) {
    Move move = promised.remove(planned);
    if (move != null) {
      state.withdraw(move);
    }
  }

  /** A DataNode said that it made a move. */
  void answered(PlannedMove move) {
    avoided.made(move, nanos.getAsLong());
  }

  /**
   * A move failed: a node that cannot be reached gets no blocks until it is heard of again, and a
   * volume that is silent gets none for a while.
   *
   * @param begunNanos when the DataNode was asked
   */
  synchronized void note(PlannedMove move, MoveFailure.Kind kind, long begunNanos) {
    long now = nanos.getAsLong();
    switch (kind) {
      case TARGET_LOST -> lost.lost(move.to(), cluster, now);
      case SOURCE_LOST -> lost.lost(move.source(), cluster, now);
      case SILENT -> avoided.silent(move, begunNanos, now);
      case SOURCE_SILENT -> avoided.silentSource(move, now);
      default -> {}
    }
    avoided.refuseIn(cluster, now);
  }

  /** Whether a move that a busy node refused is asked for again. */
  boolean asksAgain(PlannedMove move, MoveFailure.Kind kind) {
    Endpoint busy = kind == MoveFailure.Kind.SOURCE_BUSY ? move.source() : move.to();
    return !avoided.isBusyTooLong(busy, busyNanosMax, nanos.getAsLong());
  }

  /** Fails where another place should have the move: it was planned before that was known. */
  void requireNotAvoided(PlannedMove move) throws MoveFailure {
    Optional<MoveFailure> avoided = whyAvoided(move);
    if (avoided.isPresent()) {
      throw avoided.get();
    }
  }

  /** Why a planned move is not to be made; empty when it is. */
  Optional<MoveFailure> whyAvoided(PlannedMove move) {
    return avoided
        .why(move, nanos.getAsLong())
        .map(why -> new MoveFailure(MoveFailure.Kind.AVOIDED, why, why));
  }

  synchronized int nodeCount() {
    return cluster.view().nodeCount();
  }

  private void read() throws IOException {
    cluster = ClusterSnapshot.of(volumes.read(), names, keptFreeShare);
    readNanos = nanos.getAsLong();
    avoided.refuseIn(cluster, readNanos);
    lost.refuseIn(cluster, readNanos);
    state = new MovementState(cluster.view(), cluster.load());
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
