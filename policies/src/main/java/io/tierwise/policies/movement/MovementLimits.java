package io.tierwise.policies.movement;

/**
 * The share of a cluster that moves may take, in any host.
 *
 * @param nodeBytesPerSecond that a node reads or writes for moves, on average; not the rate of one
 *     move, which its devices and links set
 * @param volumeBytesPerSecond the same of one volume
 * @param allBytesPerSecond that all moves together may take
 * @param movesPerNode at once
 * @param nodeMovesPerSecond that a node begins: a small block costs its disks and the NameNode
 *     nearly what a large one does; 0 for any number
 * @param keptFreeShare of each volume's capacity, from 0 to 1, that moves leave free
 * @param yieldAbove transfers that a node serves for others: with more its moves keep a {@linkplain
 *     ForegroundShare share} of these limits; 0 where they yield to none
 * @param yieldAboveShuffleBytesPerSecond the same for map output that a node sends to reducers
 */
public record MovementLimits(
    long nodeBytesPerSecond,
    long volumeBytesPerSecond,
    long allBytesPerSecond,
    int movesPerNode,
    int nodeMovesPerSecond,
    double keptFreeShare,
    int yieldAbove,
    long yieldAboveShuffleBytesPerSecond) {
  /** Own: with more transfers than may be idle ones; see {@link MovementState}. */
  public static final int YIELD_ABOVE = MovementState.IDLE_TRANSFERS;

  /** Own: what moves of a node may take by default: a shuffle that sends as much is its equal. */
  public static final long YIELD_ABOVE_SHUFFLE = 25_000_000L;

  /**
   * Own: a quarter of what HDFS lets its Balancer take of a DataNode by default (100 MB/s), ten
   * nodes' worth in all, and four moves at once: more made a cluster of nine nodes no faster.
   */
  public static final MovementLimits DEFAULT =
      new MovementLimits(25_000_000L, 250_000_000L, 4, 0.05)
          .atMovesPerSecond(usualMovesPerSecond(25_000_000L));

  /**
   * Own: for a move a disk seeks four times, some 10 ms each: with the bytes of small blocks five
   * moves a second take a quarter of its time, as the default rate does of large ones
   * (docs/decisions/0183).
   */
  private static final int MOVES_PER_SECOND_MIN = 5;

  private static final long BYTES_PER_MOVE = 5_000_000L;

  /** Own: blocks under way at a time: enough to keep every node busy. */
  public static final int BLOCKS_AT_ONCE = 512;

  /**
   * Own: how old a view may be, in nanoseconds: a volume fills by about 10 GB at a disk's speed.
   */
  public static final long VIEW_AGE_NANOS_MAX = 60_000_000_000L;

  /** Own: attempts to move a block, the first included. */
  public static final int ATTEMPTS = 4;

  private static final long RETRY_MILLIS = 500;

  public MovementLimits {
    if (nodeBytesPerSecond < 1
        || volumeBytesPerSecond < 1
        || allBytesPerSecond < 1
        || movesPerNode < 1) {
      throw new IllegalArgumentException("rates and moves must be positive");
    }
    if (nodeMovesPerSecond < 0) {
      throw new IllegalArgumentException(
          "nodeMovesPerSecond " + nodeMovesPerSecond + " is negative");
    }
    if (!(keptFreeShare >= 0 && keptFreeShare < 1)) {
      throw new IllegalArgumentException("keptFreeShare " + keptFreeShare + " is no share");
    }
    if (yieldAbove < 0) {
      throw new IllegalArgumentException("yieldAbove " + yieldAbove + " is negative");
    }
    if (yieldAboveShuffleBytesPerSecond < 0) {
      throw new IllegalArgumentException("yieldAboveShuffleBytesPerSecond is negative");
    }
  }

  /**
   * Limits of which a volume may take what its node may, with any number of moves a second and the
   * default bounds of yielding.
   */
  public MovementLimits(
      long nodeBytesPerSecond, long allBytesPerSecond, int movesPerNode, double keptFreeShare) {
    this(
        nodeBytesPerSecond,
        nodeBytesPerSecond,
        allBytesPerSecond,
        movesPerNode,
        0,
        keptFreeShare,
        YIELD_ABOVE,
        YIELD_ABOVE_SHUFFLE);
  }

  /**
   * The same at these rates alone: a volume may take what its node may, and a node may begin any
   * number of moves a second.
   */
  public MovementLimits atRates(long ofNode, long ofAll) {
    return new MovementLimits(
        ofNode,
        ofNode,
        ofAll,
        movesPerNode,
        0,
        keptFreeShare,
        yieldAbove,
        yieldAboveShuffleBytesPerSecond);
  }

  /** The same with another rate of each volume. */
  public MovementLimits atVolumeRate(long ofVolume) {
    return new MovementLimits(
        nodeBytesPerSecond,
        ofVolume,
        allBytesPerSecond,
        movesPerNode,
        nodeMovesPerSecond,
        keptFreeShare,
        yieldAbove,
        yieldAboveShuffleBytesPerSecond);
  }

  /** The same with another number of moves at once. */
  public MovementLimits withMovesPerNode(int moves) {
    return new MovementLimits(
        nodeBytesPerSecond,
        volumeBytesPerSecond,
        allBytesPerSecond,
        moves,
        nodeMovesPerSecond,
        keptFreeShare,
        yieldAbove,
        yieldAboveShuffleBytesPerSecond);
  }

  /** The same with another number of moves that a node begins in a second; 0 for any. */
  public MovementLimits atMovesPerSecond(int moves) {
    return new MovementLimits(
        nodeBytesPerSecond,
        volumeBytesPerSecond,
        allBytesPerSecond,
        movesPerNode,
        moves,
        keptFreeShare,
        yieldAbove,
        yieldAboveShuffleBytesPerSecond);
  }

  /** The same with another share of each volume kept free. */
  public MovementLimits keepingFree(double share) {
    return new MovementLimits(
        nodeBytesPerSecond,
        volumeBytesPerSecond,
        allBytesPerSecond,
        movesPerNode,
        nodeMovesPerSecond,
        share,
        yieldAbove,
        yieldAboveShuffleBytesPerSecond);
  }

  /** The same with moves that yield at nodes that serve more transfers than these; 0 for never. */
  public MovementLimits yieldingAbove(int transfers) {
    return new MovementLimits(
        nodeBytesPerSecond,
        volumeBytesPerSecond,
        allBytesPerSecond,
        movesPerNode,
        nodeMovesPerSecond,
        keptFreeShare,
        transfers,
        yieldAboveShuffleBytesPerSecond);
  }

  /** The same with moves that yield at nodes that send more map output; 0 for never. */
  public MovementLimits yieldingAboveShuffle(long bytesPerSecond) {
    return new MovementLimits(
        nodeBytesPerSecond,
        volumeBytesPerSecond,
        allBytesPerSecond,
        movesPerNode,
        nodeMovesPerSecond,
        keptFreeShare,
        yieldAbove,
        bytesPerSecond);
  }

  /** The moves that a node begins in a second where nobody says how many. */
  public static int usualMovesPerSecond(long nodeBytesPerSecond) {
    long moves = Math.max(MOVES_PER_SECOND_MIN, nodeBytesPerSecond / BYTES_PER_MOVE);
    return (int) Math.min(Integer.MAX_VALUE, moves);
  }

  /** Whether moves yield to anything. */
  public boolean yields() {
    return yieldAbove > 0 || yieldAboveShuffleBytesPerSecond > 0;
  }

  /** How long a block of which a move failed waits, after so many attempts. */
  public static long retryMillis(int attempts) {
    return RETRY_MILLIS << Math.min(attempts, 6);
  }

  /**
   * The least time that moves take at these rates.
   *
   * @param busiestNodeBytes that one node reads or writes
   * @param busiestVolumeBytes that one volume reads or writes
   * @param busiestNodeMoves that one node takes part in
   * @param bytes of all
   */
  public double seconds(
      long busiestNodeBytes, long busiestVolumeBytes, long busiestNodeMoves, long bytes) {
    double ofNodes = (double) busiestNodeBytes / (double) nodeBytesPerSecond;
    double ofVolumes = (double) busiestVolumeBytes / (double) volumeBytesPerSecond;
    double ofAll = (double) bytes / (double) allBytesPerSecond;
    double ofMoves =
        nodeMovesPerSecond == 0 ? 0 : (double) busiestNodeMoves / (double) nodeMovesPerSecond;
    return Math.max(Math.max(ofAll, ofMoves), Math.max(ofNodes, ofVolumes));
  }
}
