package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.BlockTurns;
import io.tierwise.policies.movement.MovementPlan;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A block on its way, with its moves that are left. Guarded by the run that owns it. */
final class BlockWork {
  /** Own: a DataNode at its limit of connections serves one again within seconds. */
  private static final int CLOSED_MAX = 5;

  /**
   * Own: for so long it counts as no attempt that a node could not be reached. HDFS itself holds a
   * node that is silent for alive for about as long.
   */
  private static final long LOST_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);

  /** Reasons that another volume would help. */
  private static final Set<MovementPlan.Reason> FOR_LACK =
      EnumSet.of(MovementPlan.Reason.NO_NODE, MovementPlan.Reason.RACKS);

  private final FileToMove file;
  private final int index;
  private final ExtendedBlock block;
  private final BlockTurns<PlannedMove> turns = new BlockTurns<>(PlannedMove::inside);
  private final Set<String> failedTargets = new HashSet<>();
  private final Set<String> failedSources = new HashSet<>();
  private final Set<String> closedSources = new HashSet<>();
  private final int attempts;
  private final int looks;
  private final long begunNanos;
  private List<MovementPlan.Reason> unmoved = List.of();
  private volatile Optional<String> ownAvoided = Optional.empty();
  private volatile Optional<String> anyAvoided = Optional.empty();
  private String failure;
  private boolean onlyLost;
  private volatile boolean stays;
  private boolean begun;
  private boolean givenBack;
  private int closed;

  BlockWork(FileToMove file, int index, LocatedBlock block) {
    this(file, index, block, 1, 1, System.nanoTime());
  }

  private BlockWork(
      FileToMove file, int index, LocatedBlock block, int attempts, int looks, long begunNanos) {
    this.file = file;
    this.index = index;
    this.block = block.getBlock();
    this.attempts = attempts;
    this.looks = looks;
    this.begunNanos = begunNanos;
  }

  /** The same block as its file has it now, for another attempt. */
  BlockWork again(HdfsLocatedFileStatus now, LocatedBlock found) {
    boolean excused = onlyLost && System.nanoTime() - begunNanos < LOST_NANOS_MAX;
    int next = excused ? attempts : attempts + 1;
    BlockWork work = new BlockWork(file.at(now), index, found, next, looks + 1, begunNanos);
    work.begun = true;
    work.failedTargets.addAll(failedTargets);
    work.failedSources.addAll(failedSources);
    work.closedSources.addAll(closedSources);
    return work;
  }

  FileToMove file() {
    return file;
  }

  /** The block's index in its file. */
  int index() {
    return index;
  }

  ExtendedBlock block() {
    return block;
  }

  Set<String> failedTargets() {
    return failedTargets;
  }

  /** Replicas of it that could not be read. */
  Set<String> failedSources() {
    return failedSources;
  }

  /** Replicas whose node did not send them: to be read only where no other is left. */
  Set<String> closedSources() {
    return closedSources;
  }

  /** Notes who failed, so that another attempt asks somebody else. */
  void note(PlannedMove move, MoveFailure.Kind kind) {
    switch (kind) {
      case SOURCE_BAD -> failedSources.add(move.source().key());
      case SOURCE_CLOSED, SOURCE_SILENT -> closedSources.add(move.source().key());
      case OTHER, TARGET_CLOSED, SILENT -> failedTargets.add(move.to().key());
      default -> {}
    }
  }

  /** Whether a target that closed the connection is asked once more. */
  boolean asksAgain() {
    closed++;
    return closed <= CLOSED_MAX;
  }

  int attempts() {
    return attempts;
  }

  /** How often it was planned; more often than attempts count where nodes could not be reached. */
  int looks() {
    return looks;
  }

  /** Takes a plan in. */
  void add(Planner.Planned planned) {
    turns.add(planned.moves());
    unmoved = planned.unmoved();
    if (planned.mayComeBack()) {
      failed(planned.unmoved().get(0).text(), true);
    }
  }

  /**
   * Learns why a plan may have no move.
   *
   * @param own about a volume of the block that is left alone, for people
   * @param any about any such volume
   */
  void staysFor(Optional<String> own, Optional<String> any) {
    ownAvoided = own;
    anyAvoided = any;
  }

  /** Why a replica stays, for people. */
  String text(MovementPlan.Reason reason) {
    boolean full = reason == MovementPlan.Reason.NO_ROOM;
    return (FOR_LACK.contains(reason) ? ownAvoided.or(() -> anyAvoided) : ownAvoided)
        .filter(why -> !full)
        .map(why -> reason.text() + ": " + why)
        .orElse(reason.text());
  }

  /** Why replicas stay of which the plan has no move. */
  List<MovementPlan.Reason> unmoved() {
    return unmoved;
  }

  /**
   * Notes that it is worth another look.
   *
   * @param lost whether because of a node that could not be reached, and for nothing else
   */
  void failed(String why, boolean lost) {
    onlyLost = lost && (failure == null || onlyLost);
    failure = why;
  }

  /** Why it is worth another look, as noted last; null when it is not. */
  String failure() {
    return failure;
  }

  /** Whether it waits for a node that could not be reached, and has no move meanwhile. */
  boolean onlyWaits() {
    return onlyLost && !unmoved.isEmpty();
  }

  /** A replica of it stays where it should not be. */
  void stays() {
    stays = true;
  }

  /** Whether all its replicas are as wanted, now that nothing of it is under way. */
  boolean asWanted() {
    return !stays && unmoved.isEmpty();
  }

  /** Begins with a move; false when it was given back before. */
  synchronized boolean begin() {
    begun |= !givenBack;
    return begun;
  }

  /** Whether one of its moves was begun. */
  synchronized boolean isBegun() {
    return begun;
  }

  /** Begins none of its moves; false when one was begun. */
  synchronized boolean giveBack() {
    givenBack |= !begun;
    return givenBack;
  }

  /** The moves that may start now; they count as under way. */
  List<PlannedMove> startable() {
    return turns.startable();
  }

  /** A move that was under way is made or given up. */
  void ended() {
    turns.ended();
  }

  /** Takes all moves that have not started. */
  List<PlannedMove> drop() {
    return turns.drop();
  }

  boolean isOver() {
    return turns.isOver();
  }
}
