package io.tierwise.simulator.cluster;

/**
 * The write buffers of nodes, in numbers: how much is dirty, how much fits, who waits first.
 *
 * <p>A cluster's numbers fill no processor's cache, and whoever looks at a node needs most of them:
 * those of a node stand side by side, in one line of a cache.
 */
final class NodeRooms {
  /** In the place of the turn of the first writer that waits: behind all turns. */
  static final long NO_TURN = Long.MAX_VALUE;

  private static final int LINE = 8;
  private static final int DIRTY = 0;
  private static final int BUFFER = 1;
  private static final int BACKGROUND = 2;
  private static final int FIRST_TURN = 3;
  private static final int FOLLOWED = 4;
  private static final int FIRST_VOLUME = 5;
  private static final int END_VOLUME = 6;

  private final long[] lines;

  /** Empty buffers, for which nobody waits. */
  NodeRooms(VirtualCluster cluster) {
    this.lines = new long[cluster.nodeCount() * LINE];
    for (int node = 0; node < cluster.nodeCount(); node++) {
      int line = node * LINE;
      lines[line + BUFFER] = cluster.node(node).writeBufferBytes();
      lines[line + BACKGROUND] = cluster.node(node).writeBackgroundBytes();
      lines[line + FIRST_TURN] = NO_TURN;
      lines[line + FIRST_VOLUME] = cluster.firstVolume(node);
      lines[line + END_VOLUME] = cluster.firstVolume(node + 1);
    }
  }

  /** Bytes that no device has yet, and those for which a writer has room. */
  long dirtyBytes(int node) {
    return lines[node * LINE + DIRTY];
  }

  void addDirty(int node, long bytes) {
    lines[node * LINE + DIRTY] += bytes;
  }

  long bufferBytes(int node) {
    return lines[node * LINE + BUFFER];
  }

  /** An empty buffer takes anything: a block may be larger than the buffer. */
  boolean fits(int node, long bytes) {
    long dirty = lines[node * LINE + DIRTY];
    return dirty == 0 || dirty + bytes <= lines[node * LINE + BUFFER];
  }

  /** The turn of the first writer that waits, or {@link #NO_TURN}. */
  long firstTurn(int node) {
    return lines[node * LINE + FIRST_TURN];
  }

  void setFirstTurn(int node, long turn) {
    lines[node * LINE + FIRST_TURN] = turn;
  }

  /** Whether devices must not wait until dirty data is old. */
  boolean isPressed(int node) {
    int line = node * LINE;
    return lines[line + FIRST_TURN] != NO_TURN || lines[line + DIRTY] > lines[line + BACKGROUND];
  }

  /** Whether every device of the node that has dirty data is writing it. */
  boolean isFollowed(int node) {
    return lines[node * LINE + FOLLOWED] != 0;
  }

  void setFollowed(int node, boolean isFollowed) {
    lines[node * LINE + FOLLOWED] = isFollowed ? 1 : 0;
  }

  /** The node's volumes are those from the first up to the end, which is not one of them. */
  int firstVolume(int node) {
    return (int) lines[node * LINE + FIRST_VOLUME];
  }

  int endVolume(int node) {
    return (int) lines[node * LINE + END_VOLUME];
  }
}
