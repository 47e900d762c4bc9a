package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.movement.MovementLimits;
import java.util.OptionalInt;

/**
 * The bounds within which data is moved.
 *
 * @param nodeBytesPerSecond that a node reads or writes for moves, on average; not the rate of one
 *     move, which its devices and HDFS set
 * @param volumeBytesPerSecond the same of one volume
 * @param allBytesPerSecond that all moves together may take
 * @param movesPerNode at once. A DataNode refuses more than {@code
 *     dfs.datanode.balance.max.concurrent.moves} and serves the Balancer from the same number
 * @param keptFreeShare of each volume's capacity, from 0 to 1, that moves leave free
 * @param patienceSeconds to wait for the NameNode to report a move that a DataNode has made
 * @param attempts to move a block, the first included
 */
public record MoverSettings(
    long nodeBytesPerSecond,
    long volumeBytesPerSecond,
    long allBytesPerSecond,
    int movesPerNode,
    double keptFreeShare,
    double patienceSeconds,
    int attempts) {
  public static final MoverSettings DEFAULT = of(MovementLimits.DEFAULT);

  private static final long MEGABYTE = 1_000_000;

  public MoverSettings {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts " + attempts + " must be positive");
    }
    MovementLimits.require(
        nodeBytesPerSecond, volumeBytesPerSecond, allBytesPerSecond, movesPerNode, keptFreeShare);
  }

  private static MoverSettings of(MovementLimits limits) {
    return new MoverSettings(
        limits.nodeBytesPerSecond(),
        limits.volumeBytesPerSecond(),
        limits.allBytesPerSecond(),
        limits.movesPerNode(),
        limits.keptFreeShare(),
        60,
        MovementLimits.ATTEMPTS);
  }

  /** Those of them that hold in any host. */
  public MovementLimits limits() {
    return new MovementLimits(
        nodeBytesPerSecond, volumeBytesPerSecond, allBytesPerSecond, movesPerNode, keptFreeShare);
  }

  /**
   * The bounds as a user gives them; names of options stand in messages.
   *
   * @param bandwidth megabytes a second of each node
   * @param ofVolume megabytes a second of each volume; empty for as many as its node has
   * @param total megabytes a second of all moves together
   * @param keepFree percent of each volume's capacity
   * @throws OperatorException when one makes no sense
   */
  public static MoverSettings of(
      int bandwidth, OptionalInt ofVolume, int total, int movesPerNode, double keepFree) {
    OperatorException.requireAtLeast(1, "--bandwidth", bandwidth);
    OperatorException.requireAtLeast(1, "--bandwidth-volume", ofVolume.orElse(bandwidth));
    OperatorException.requireAtLeast(1, "--bandwidth-total", total);
    OperatorException.requireAtLeast(1, "--moves-per-node", movesPerNode);
    if (!(keepFree >= 0 && keepFree < 100)) {
      throw OperatorException.badInput(
          "--keep-free " + keepFree + " is no percentage below 100: give 0 to 99");
    }
    return DEFAULT
        .atRates(bandwidth * MEGABYTE, total * MEGABYTE)
        .atVolumeRate(ofVolume.orElse(bandwidth) * MEGABYTE)
        .withMovesPerNode(movesPerNode)
        .keepingFree(keepFree / 100);
  }

  /** The same at other rates; a volume may take what its node may. */
  public MoverSettings atRates(long ofNode, long ofAll) {
    return new MoverSettings(
        ofNode, ofNode, ofAll, movesPerNode, keptFreeShare, patienceSeconds, attempts);
  }

  /** The same with another rate of each volume. */
  public MoverSettings atVolumeRate(long ofVolume) {
    return new MoverSettings(
        nodeBytesPerSecond,
        ofVolume,
        allBytesPerSecond,
        movesPerNode,
        keptFreeShare,
        patienceSeconds,
        attempts);
  }

  /** The same with another number of moves at once. */
  public MoverSettings withMovesPerNode(int moves) {
    return new MoverSettings(
        nodeBytesPerSecond,
        volumeBytesPerSecond,
        allBytesPerSecond,
        moves,
        keptFreeShare,
        patienceSeconds,
        attempts);
  }

  /** The same with another share of each volume kept free. */
  public MoverSettings keepingFree(double share) {
    return new MoverSettings(
        nodeBytesPerSecond,
        volumeBytesPerSecond,
        allBytesPerSecond,
        movesPerNode,
        share,
        patienceSeconds,
        attempts);
  }
}
