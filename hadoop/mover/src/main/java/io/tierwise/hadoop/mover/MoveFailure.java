package io.tierwise.hadoop.mover;

/** Why a DataNode did not make a move. */
final class MoveFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** The answer to it that may help. */
  enum Kind {
    /** The node makes as many moves as it may: the same again later. */
    BUSY,
    /** The source's node does: the same again later. */
    SOURCE_BUSY,
    /** The target took the move and does not answer: another one; it may still make the move. */
    SILENT,
    /** The source's node did not send the replica to the target: another one. */
    SOURCE_SILENT,
    /** The target or the source is left alone for a while: another one. */
    AVOIDED,
    /** The target cannot be reached: another one. */
    TARGET_LOST,
    /** The target could not copy from the source: another one. */
    SOURCE_LOST,
    /** The source's replica is corrupt, or refused: another one of the block. */
    SOURCE_BAD,
    /**
     * The source's node closed the connection unanswered: the replica is gone or cannot be read, or
     * the node serves as many connections as it may. Another replica, or this one later.
     */
    SOURCE_CLOSED,
    /** The target's node did: the same again later, a few times. */
    TARGET_CLOSED,
    /** The target has no room at this moment: other moves may give some back. */
    FULL,
    /** The replica is pinned to its node, as favoured nodes can be: never. */
    PINNED,
    /** Anything else: look at the block again. */
    OTHER;

    /** Whether a node makes as many moves as it may. */
    boolean isBusy() {
      return this == BUSY || this == SOURCE_BUSY;
    }

    /** Whether a node could not be reached. */
    boolean isLoss() {
      return this == TARGET_LOST || this == SOURCE_LOST;
    }
  }

  private final Kind kind;
  private final String detail;

  MoveFailure(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.detail = message;
  }

  /**
   * A failure with more to say of this one move.
   *
   * @param message that is the same for many moves, by which they are counted
   */
  MoveFailure(Kind kind, String message, String detail) {
    super(message);
    this.kind = kind;
    this.detail = detail;
  }

  /** The block was changed while it moved: it is looked at again. */
  static MoveFailure ofChange() {
    return new MoveFailure(Kind.OTHER, StayReason.CHANGED, StayReason.CHANGED);
  }

  /** What the journal has: with the block, where it is known. */
  String detail() {
    return detail;
  }

  Kind kind() {
    return kind;
  }
}
