package io.tierwise.core.view;

/**
 * How busy the nodes of a cluster are, by the ids of a {@link ClusterView}, as they reported it,
 * and how long ago that was. A host that is told anew makes another view, or answers as of now.
 */
public interface LoadView {
  /** Nobody reported anything. */
  LoadView UNKNOWN =
      new LoadView() {
        @Override
        public int transfers(int node) {
          return 0;
        }

        @Override
        public long ageMillis(int node) {
          return Long.MAX_VALUE;
        }
      };

  /**
   * Transfers that the node said it was serving. As on HDFS, a connection that its client keeps for
   * the next read counts, though nothing passes.
   */
  int transfers(int node);

  /** How old the node's report is. */
  long ageMillis(int node);

  /**
   * Bytes a second of map output that the node sends to reducers; 0 where nobody has told of late.
   */
  default double shuffleBytesPerSecond(int node) {
    return 0;
  }
}
