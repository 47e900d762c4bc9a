package io.tierwise.hadoop.mover;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A block on its way: the moves that are left of it. Those inside nodes are made at once, one
 * between nodes only after the one before it is in place, so that the NameNode never has to choose
 * among two copies. Guarded by the run that owns it.
 */
final class BlockWork {
  private final FileToMove file;
  private final int index;
  private final ExtendedBlock block;
  private final Deque<PlannedMove> left = new ArrayDeque<>();
  private final Set<String> failedTargets = new HashSet<>();
  private final Set<String> failedSources = new HashSet<>();
  private int underWay;
  private final int attempts;
  private String failure;

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

  int attempts() {
    return attempts;
  }

  void add(List<PlannedMove> moves) {
    left.addAll(moves);
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
    Deque<PlannedMove> started = new ArrayDeque<>();
    while (!left.isEmpty() && (left.peek().inside() || underWay == 0)) {
      started.add(left.poll());
      underWay++;
      if (!started.peekLast().inside()) {
        break;
      }
    }
    return List.copyOf(started);
  }

  /** A move that was under way is made or given up. */
  void ended() {
    underWay--;
  }

  /** Takes all moves that have not started. */
  List<PlannedMove> drop() {
    List<PlannedMove> dropped = List.copyOf(left);
    left.clear();
    return dropped;
  }

  boolean isOver() {
    return left.isEmpty() && underWay == 0;
  }
}
