package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.BlockTurns;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A block on its way, with its moves that are left. Guarded by the run that owns it. */
final class BlockWork {
  /** Own: a DataNode at its limit of connections serves one again within seconds. */
  private static final int CLOSED_MAX = 5;

  private final FileToMove file;
  private final int index;
  private final ExtendedBlock block;
  private final BlockTurns<PlannedMove> turns = new BlockTurns<>(PlannedMove::inside);
  private final Set<String> failedTargets = new HashSet<>();
  private final Set<String> failedSources = new HashSet<>();
  private final Set<String> closedSources = new HashSet<>();
  private final int attempts;
  private String failure;
  private int closed;

  BlockWork(FileToMove file, int index, LocatedBlock block) {
    this(file, index, block, 1);
  }

  private BlockWork(FileToMove file, int index, LocatedBlock block, int attempts) {
    this.file = file;
    this.index = index;
    this.block = block.getBlock();
    this.attempts = attempts;
  }

  /** The same block as its file has it now, for another attempt. */
  BlockWork again(HdfsLocatedFileStatus now, LocatedBlock found) {
    BlockWork work = new BlockWork(file.at(now), index, found, attempts + 1);
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

  /** Replicas whose node closed the connection: to be read only where no other is left. */
  Set<String> closedSources() {
    return closedSources;
  }

  /** Notes who failed, so that another attempt asks somebody else. */
  void note(PlannedMove move, MoveFailure.Kind kind) {
    switch (kind) {
      case SOURCE_BAD -> failedSources.add(move.source().key());
      case SOURCE_CLOSED -> closedSources.add(move.source().key());
      case OTHER, TARGET_CLOSED -> failedTargets.add(move.to().key());
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

  void add(List<PlannedMove> moves) {
    turns.add(moves);
  }

  /** Notes why a move of it failed. */
  void failed(String why) {
    failure = why;
  }

  /** Why a move of it failed last; null when none did. */
  String failure() {
    return failure;
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
