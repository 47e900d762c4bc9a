package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
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
  /**
   * Own: a quarter of what HDFS lets its Balancer take of a DataNode by default (100 MB/s), ten
   * nodes' worth in all, and four moves at once: more made a cluster of nine nodes no faster.
   */
  public static final MoverSettings DEFAULT =
      new MoverSettings(25_000_000L, 25_000_000L, 250_000_000L, 4, 0.05, 60, 4);

  private static final long MEGABYTE = 1_000_000;

  public MoverSettings {
    if (nodeBytesPerSecond < 1 || volumeBytesPerSecond < 1 || allBytesPerSecond < 1) {
      throw new IllegalArgumentException("rates must be positive");
    }
    if (movesPerNode < 1 || attempts < 1) {
      throw new IllegalArgumentException("moves and attempts must be positive");
    }
    if (!(keptFreeShare >= 0 && keptFreeShare < 1)) {
      throw new IllegalArgumentException("keptFreeShare " + keptFreeShare + " is no share");
    }
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
    require("--bandwidth", bandwidth);
    require("--bandwidth-volume", ofVolume.orElse(bandwidth));
    require("--bandwidth-total", total);
    require("--moves-per-node", movesPerNode);
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

  private static void require(String option, int value) {
    if (value < 1) {
      throw OperatorException.badInput(option + " " + value + " is too little: give 1 or more");
    }
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
