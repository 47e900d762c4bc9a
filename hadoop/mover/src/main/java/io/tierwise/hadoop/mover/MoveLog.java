package io.tierwise.hadoop.mover;

/** Is told of each move. Called by many threads. */
interface MoveLog {
  /** Remembers nothing. */
  MoveLog NONE =
      new MoveLog() {
        @Override
        public void begin(PlannedMove move) {}

        @Override
        public void end(PlannedMove move, String why) {}
      };

  /**
   * A move is about to start; durable when this returns.
   *
   * @throws io.tierwise.core.message.OperatorException when it cannot be written down: then the
   *     move must not be made
   */
  void begin(PlannedMove move);

  /**
   * A move has ended; it may be one that never began.
   *
   * @param why it was not made; null when it was
   * @throws io.tierwise.core.message.OperatorException when it cannot be written down
   */
  void end(PlannedMove move, String why);

  /** Nobody knows how a move ends: its node does not answer, and may still make it. */
  default void lost(PlannedMove move) {}

  /**
   * Nothing more is done about a block that was taken in. Not called for a block that the run ends
   * too early to try: somebody else is to go on with it.
   *
   * @param asWanted whether all its replicas are where they should be
   */
  default void over(BlockWork work, boolean asWanted) {}
}
