package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.movement.MovementLimits;

/**
 * The bounds within which data is moved.
 *
 * @param limits that hold in any host. A DataNode refuses more moves at once than {@code
 *     dfs.datanode.balance.max.concurrent.moves} and serves the Balancer from the same number
 * @param patienceSeconds to wait for the NameNode to report a move that a DataNode has made, and
 *     for a node that cannot be reached
 * @param attempts to move a block, the first included
 */
public record MoverSettings(MovementLimits limits, double patienceSeconds, int attempts) {
  public static final MoverSettings DEFAULT =
      new MoverSettings(MovementLimits.DEFAULT, 60, MovementLimits.ATTEMPTS);

  private static final long MEGABYTE = 1_000_000;

  public MoverSettings {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts " + attempts + " must be positive");
    }
  }

  /**
   * The rates as a user gives them, in megabytes a second.
   *
   * @param moves that a node begins in a second; 0 for any number
   */
  public record Rates(int ofNode, int ofVolume, int ofAll, int moves) {}

  /** The moves that a node begins in a second where a user names its megabytes alone. */
  public static int usualMovesPerSecond(int ofNode) {
    return MovementLimits.usualMovesPerSecond(ofNode * MEGABYTE);
  }

  /**
   * The load of a node above which its moves yield, as a user gives it; 0 for never.
   *
   * @param shuffle megabytes a second of map output
   */
  public record YieldAbove(int transfers, int shuffle) {}

  /**
   * The bounds as a user gives them; names of options stand in messages.
   *
   * @param keepFree percent of each volume's capacity
   * @throws OperatorException when one makes no sense
   */
  public static MoverSettings of(
      Rates rates, int movesPerNode, double keepFree, YieldAbove yieldAbove) {
    OperatorException.requireAtLeast(1, "--bandwidth", rates.ofNode());
    OperatorException.requireAtLeast(1, "--bandwidth-volume", rates.ofVolume());
    OperatorException.requireAtLeast(1, "--bandwidth-total", rates.ofAll());
    OperatorException.requireAtLeast(0, "--moves-per-second", rates.moves());
    OperatorException.requireAtLeast(1, "--moves-per-node", movesPerNode);
    OperatorException.requireAtLeast(0, "--yield-above", yieldAbove.transfers());
    OperatorException.requireAtLeast(0, "--yield-shuffle", yieldAbove.shuffle());
    if (!(keepFree >= 0 && keepFree < 100)) {
      throw OperatorException.badInput(
          "--keep-free " + keepFree + " is no percentage below 100: give 0 to 99");
    }
    return DEFAULT.with(
        new MovementLimits(
            rates.ofNode() * MEGABYTE,
            rates.ofVolume() * MEGABYTE,
            rates.ofAll() * MEGABYTE,
            movesPerNode,
            rates.moves(),
            keepFree / 100,
            yieldAbove.transfers(),
            yieldAbove.shuffle() * MEGABYTE));
  }

  /** The same within other limits. */
  public MoverSettings with(MovementLimits other) {
    return new MoverSettings(other, patienceSeconds, attempts);
  }

  /** The same with another patience. */
  public MoverSettings withPatience(double seconds) {
    return new MoverSettings(limits, seconds, attempts);
  }

  /** The same at these rates alone; a volume may take what its node may. */
  public MoverSettings atRates(long ofNode, long ofAll) {
    return with(limits.atRates(ofNode, ofAll));
  }

  /** The same with another rate of each volume. */
  public MoverSettings atVolumeRate(long ofVolume) {
    return with(limits.atVolumeRate(ofVolume));
  }

  /** The same with another number of moves that a node begins in a second; 0 for any. */
  public MoverSettings atMovesPerSecond(int moves) {
    return with(limits.atMovesPerSecond(moves));
  }

  /** The same with another number of moves at once. */
  public MoverSettings withMovesPerNode(int moves) {
    return with(limits.withMovesPerNode(moves));
  }

  /** The same with another share of each volume kept free. */
  public MoverSettings keepingFree(double share) {
    return with(limits.keepingFree(share));
  }
}
