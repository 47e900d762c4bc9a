package io.tierwise.policies.movement;

/**
 * When a host asks its engine whether the moves of a file are in place: soon after the last of some
 * moves that follow each other closely, and then ever less often while nothing changes. Not for
 * many threads.
 *
 * <p>Own: 20 ms after a move at first, for that is when one inside a node is in place; two seconds
 * at most, for HDFS drops old replicas at heartbeats. An answer has all blocks of the file, so that
 * a long file is asked about less often: 1,000 blocks a second at most, and where each block would
 * wait for half a second or more like that, 20,000. At 20,000 for all files, a fifth of what moves
 * at the default rate cost was these questions; half a second for a window of {@link
 * MovementLimits#BLOCKS_AT_ONCE} blocks holds up no run that makes less than 1,000 a second.
 *
 * <p>Own: a look is put off while moves go on, by two seconds in all, and by half a second when an
 * eighth of {@link MovementLimits#BLOCKS_AT_ONCE} wait for it. Whoever reads beside moves waits
 * when the NameNode answers: in a run of 225 moves a second more than half of the slowest reads
 * were beside one of ten looks a second.
 */
public final class LookTimes {
  private static final long FIRST_NANOS = 20_000_000L;
  private static final long LAST_NANOS = 2_000_000_000L;
  private static final int MANY_MOVES = MovementLimits.BLOCKS_AT_ONCE / 8;
  private static final long TOGETHER_NANOS_MAX = 500_000_000L;
  private static final long FEW_TOGETHER_NANOS_MAX = LAST_NANOS;
  private static final long NANOS_PER_BLOCK = 1_000_000L;
  private static final long NANOS_OF_BLOCKS_MAX = 500_000_000L;
  private static final long NANOS_PER_BLOCK_MIN = 50_000L;

  private int moves;
  private long movedNanos;
  private long delayNanos;
  private long nextNanos;

  /**
   * A move of the file was made. The next look is that much later, unless it would be late for the
   * first move since the last look.
   *
   * @param fileBlocks that an answer has
   */
  public void moved(long nowNanos, int fileBlocks) {
    delayNanos = firstNanos(fileBlocks);
    if (moves == 0) {
      movedNanos = nowNanos;
    }
    moves++;
    long together = moves < MANY_MOVES ? FEW_TOGETHER_NANOS_MAX : TOGETHER_NANOS_MAX;
    long latest = movedNanos + Math.max(delayNanos, together);
    nextNanos = Math.max(nowNanos, Math.min(nowNanos + delayNanos, latest));
  }

  /** The engine was asked, or is about to be. */
  public void looked(long nowNanos) {
    moves = 0;
    delayNanos = Math.max(delayNanos, Math.min(2 * delayNanos, LAST_NANOS));
    nextNanos = nowNanos + delayNanos;
  }

  /** When to ask next. */
  public long nextNanos() {
    return nextNanos;
  }

  /** How long after a move its file is asked about first. */
  public static long firstNanos(int fileBlocks) {
    long ofBlocks = Math.min(NANOS_PER_BLOCK * fileBlocks, NANOS_OF_BLOCKS_MAX);
    return FIRST_NANOS + Math.max(ofBlocks, NANOS_PER_BLOCK_MIN * fileBlocks);
  }
}
