package io.tierwise.simulator.movement;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.MovementResult.Left;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts for a {@link MovementResult}. */
final class MovementTally {
  private final String path;
  private final String placement;
  private final MovementLimits limits;
  private final ArrayClusterView view;
  private final long[] come;
  private final long[] go;
  private final long[] bytesOfNode;
  private final long[] movesOfNode;
  private final long[] bytesOfVolume;
  private final Map<String, Left> left = new LinkedHashMap<>();
  private long files;
  private long blocks;
  private long blocksAsWanted;
  private long replicas;
  private long bytes;
  private long networkBytes;

  /**
   * @param path of the files
   * @param placement that they are brought to
   */
  MovementTally(String path, String placement, MovementLimits limits, ArrayClusterView view) {
    this.path = path;
    this.placement = placement;
    this.limits = limits;
    this.view = view;
    this.come = new long[view.tiers().count()];
    this.go = new long[view.tiers().count()];
    this.bytesOfNode = new long[view.nodeCount()];
    this.movesOfNode = new long[view.nodeCount()];
    this.bytesOfVolume = new long[view.volumeCount()];
  }

  void file() {
    files++;
  }

  void block(boolean asWanted) {
    blocks++;
    blocksAsWanted += asWanted ? 1 : 0;
  }

  void moved(ReplicaMove move) {
    replicas++;
    bytes += move.bytes();
    int to = view.nodeOfVolume(move.decision().to());
    int source = view.nodeOfVolume(move.decision().source());
    bytesOfNode[to] += move.bytes();
    movesOfNode[to]++;
    if (source != to) {
      bytesOfNode[source] += move.bytes();
      movesOfNode[source]++;
    }
    bytesOfVolume[move.decision().to()] += move.bytes();
    bytesOfVolume[move.decision().source()] += move.bytes();
    networkBytes += move.isInside() ? 0 : move.bytes();
    add(come, view.tierOfVolume(move.decision().to()), move.bytes());
    add(go, view.tierOfVolume(move.decision().from()), move.bytes());
  }

  private static void add(long[] ofTiers, int tier, long bytes) {
    if (tier != TierTable.NONE) {
      ofTiers[tier] += bytes;
    }
  }

  private static long most(long[] amounts) {
    return Arrays.stream(amounts).max().orElse(0);
  }

  void left(String reason, long leftBytes) {
    left.merge(reason, new Left(reason, 1, leftBytes), Left::plus);
  }

  /** Bytes that went from the tier, less those that came to it. */
  long leftTierBytes(int tier) {
    return go[tier] - come[tier];
  }

  MovementResult result(double startSeconds, double seconds, boolean complete) {
    List<Left> byAmount = new ArrayList<>(left.values());
    byAmount.sort(Comparator.comparingLong(one -> -one.replicas()));
    return new MovementResult(
        path,
        placement,
        complete,
        startSeconds,
        seconds,
        limits.seconds(most(bytesOfNode), most(bytesOfVolume), most(movesOfNode), bytes),
        files,
        blocks,
        blocksAsWanted,
        replicas,
        bytes,
        networkBytes,
        come,
        go,
        byAmount);
  }
}
