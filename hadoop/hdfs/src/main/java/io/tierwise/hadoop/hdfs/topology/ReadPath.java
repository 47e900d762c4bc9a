package io.tierwise.hadoop.hdfs.topology;

/**
 * The resources that the bytes of a read pass: the device, the link of its node, the uplinks that
 * are configured, and the link of the reader. From a near replica they pass the device alone. Keys
 * are equal for equal resources of one NameNode or client.
 */
final class ReadPath {
  /** Tells what a key stands for: its lowest bits. */
  private static final int KEY_BITS = 3;

  private static final int DEVICE = 0;
  private static final int LINK_OF_NODE = 1;
  private static final int LINK_OF_READER = 2;
  private static final int UPLINK_OF_NODE = 3;
  private static final int UPLINK_OF_READER = 4;

  /** Without uplinks. */
  private static final int STEPS_REMOTE = 3;

  private ReadPath() {}

  /**
   * Names the reader, for a host that counts reads on devices and links.
   *
   * @param key equal for equal machines
   * @param nowMillis monotonic time
   * @param links what its bytes pass last
   */
  record Reader(int key, long nowMillis, ReplicaTiers.ReaderLinks links) {
    /** A reader whose links nobody knows. */
    Reader(int key, long nowMillis) {
      this(key, nowMillis, ReplicaTiers.ReaderLinks.UNKNOWN);
    }

    private boolean isInAnotherRack(ReplicaTiers.Storage storage) {
      return links.areKnown() && links.rackKey() != storage.rackKey();
    }

    /** Whether the uplink of the replica's rack is on the path. */
    private boolean leavesRackOf(ReplicaTiers.Storage storage) {
      return isInAnotherRack(storage) && storage.uplinkBytesPerSecond() > 0;
    }

    /** Whether the uplink of its own rack is on the path. */
    private boolean entersRackFrom(ReplicaTiers.Storage storage) {
      return isInAnotherRack(storage) && links.uplinkBytesPerSecond() > 0;
    }
  }

  static int length(ReplicaTiers.Storage storage, boolean near, Reader reader) {
    if (near) {
      return 1;
    }
    return STEPS_REMOTE
        + (reader.leavesRackOf(storage) ? 1 : 0)
        + (reader.entersRackFrom(storage) ? 1 : 0);
  }

  /** Whether that step, in whatever path it is, is the link of the replica's node. */
  static boolean isLinkOfNode(int step) {
    return step == LINK_OF_NODE;
  }

  /** The resource at that step of the path. */
  private static int kind(ReplicaTiers.Storage storage, boolean near, Reader reader, int step) {
    if (step <= LINK_OF_NODE) {
      return step;
    }
    int fromEnd = length(storage, near, reader) - 1 - step;
    if (fromEnd < 0) {
      throw new IndexOutOfBoundsException(step);
    }
    if (fromEnd == 0) {
      return LINK_OF_READER;
    }
    return fromEnd == 1 && reader.entersRackFrom(storage) ? UPLINK_OF_READER : UPLINK_OF_NODE;
  }

  static long key(ReplicaTiers.Storage storage, boolean near, Reader reader, int step) {
    int kind = kind(storage, near, reader, step);
    long key =
        switch (kind) {
          case DEVICE -> storage.key();
          case LINK_OF_NODE -> storage.nodeKey();
          case LINK_OF_READER -> reader.key();
          case UPLINK_OF_NODE -> storage.rackKey();
          default -> reader.links().rackKey();
        };
    return key << KEY_BITS | kind;
  }

  /** Of a device as its tier was measured, of a link as the administrator said; else unknown. */
  static double bytesPerSecond(
      ReplicaTiers.Storage storage, boolean near, Reader reader, int step) {
    return switch (kind(storage, near, reader, step)) {
      case DEVICE -> storage.readBytesPerSecond();
      case LINK_OF_NODE -> storage.linkBytesPerSecond();
      case LINK_OF_READER -> reader.links().linkBytesPerSecond();
      case UPLINK_OF_NODE -> storage.uplinkBytesPerSecond();
      default -> reader.links().uplinkBytesPerSecond();
    };
  }
}
