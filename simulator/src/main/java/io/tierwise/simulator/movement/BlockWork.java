package io.tierwise.simulator.movement;

import io.tierwise.policies.movement.BlockTurns;
import io.tierwise.policies.movement.EngineRules;
import io.tierwise.simulator.storage.StoredFile;
import java.util.LinkedHashSet;
import java.util.Set;

/** A block on its way, with its moves that are left and what failed before. */
final class BlockWork implements EngineRules {
  private final StoredFile file;
  private final int index;
  private final long roomForCopyBytes;
  private final BlockTurns<ReplicaMove> turns = new BlockTurns<>(ReplicaMove::isInside);
  private final Set<Integer> failedTargets = new LinkedHashSet<>();
  private final Set<Integer> failedSources = new LinkedHashSet<>();
  private int attempts = 1;
  private String failure;

  /**
   * @param roomForCopyBytes as HDFS: a DataNode wants a whole block of the default size free before
   *     it takes a copy from another node, however small this one is
   */
  BlockWork(StoredFile file, int index, long roomForCopyBytes) {
    this.file = file;
    this.index = index;
    this.roomForCopyBytes = Math.max(roomForCopyBytes, file.blockBytes(index));
  }

  StoredFile file() {
    return file;
  }

  int index() {
    return index;
  }

  int block() {
    return file.block(index);
  }

  long bytes() {
    return file.blockBytes(index);
  }

  BlockTurns<ReplicaMove> turns() {
    return turns;
  }

  void targetFailed(int viewVolume, String why) {
    failedTargets.add(viewVolume);
    failure = why;
  }

  void sourceFailed(int viewVolume, String why) {
    failedSources.add(viewVolume);
    failure = why;
  }

  /** Why a move of it failed last; null when none did since the last attempt began. */
  String failure() {
    return failure;
  }

  int attempts() {
    return attempts;
  }

  void nextAttempt() {
    attempts++;
    failure = null;
  }

  @Override
  public boolean movesInside(int from, int to) {
    return !failedTargets.contains(to);
  }

  @Override
  public boolean keepsCopy(int from, int to) {
    return !failedTargets.contains(to);
  }

  @Override
  public boolean canRead(int volume) {
    return !failedSources.contains(volume);
  }

  @Override
  public long roomForCopyBytes(long blockBytes) {
    return roomForCopyBytes;
  }
}
