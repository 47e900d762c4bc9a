package io.tierwise.hadoop.hdfs.client;

import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * The last replica that the calling thread chose, and what came of it: tells a refusal, which comes
 * at once over a working connection, from a node that is gone or hangs.
 */
final class Choice {
  private static final ThreadLocal<Choice> LAST = ThreadLocal.withInitial(Choice::new);

  private DatanodeInfo node;
  private long sinceNanos;
  private boolean connectFailed;

  private Choice() {}

  static void made(DatanodeInfo node) {
    Choice last = LAST.get();
    last.node = node;
    last.sinceNanos = System.nanoTime();
    last.connectFailed = false;
  }

  static void connectFailed() {
    LAST.get().connectFailed = true;
  }

  /**
   * Whether the failure of {@code node}, just seen by this thread, was a refusal.
   *
   * @param promptNanos how soon after the choice a refusal comes at the latest
   */
  @SuppressWarnings("ReferenceEquality") // an equal node of another block is another choice
  static boolean wasRefused(DatanodeInfo node, long promptNanos) {
    Choice last = LAST.get();
    boolean refused =
        last.node == node
            && !last.connectFailed
            && System.nanoTime() - last.sinceNanos <= promptNanos;
    last.node = null;
    return refused;
  }
}
