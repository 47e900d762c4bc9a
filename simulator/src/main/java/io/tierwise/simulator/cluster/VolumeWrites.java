package io.tierwise.simulator.cluster;

import io.tierwise.simulator.cluster.VirtualCluster.Volume;

/**
 * The writes that devices have before them: the data that waits for each, and the flush under way.
 *
 * <p>The numbers of a volume stand side by side, in one line of a cache, as those of {@link
 * NodeRooms} do.
 */
final class VolumeWrites {
  private static final int NO_FLOW = -1;

  private static final int LINE = 7;

  // A double, by its bits.
  private static final int WRITE_BYTES_PER_SECOND = 0;
  private static final int FLOW = 1;
  private static final int FLUSHING = 2;
  private static final int QUEUED = 3;
  private static final int WRITTEN = 4;
  private static final int OLDEST_TICK = 5;
  private static final int EXPIRY_IS_TIMED = 6;

  private final VirtualCluster cluster;
  private final long[] lines;
  private final DirtyQueue[] queues;

  /** Nothing waits. */
  VolumeWrites(VirtualCluster cluster) {
    this.cluster = cluster;
    this.lines = new long[cluster.volumeCount() * LINE];
    this.queues = new DirtyQueue[cluster.volumeCount()];
    for (int id = 0; id < queues.length; id++) {
      Volume volume = cluster.volume(id);
      int line = id * LINE;
      lines[line + WRITE_BYTES_PER_SECOND] =
          Double.doubleToRawLongBits(volume.device().writeBytesPerSecond());
      lines[line + FLOW] = NO_FLOW;
      queues[id] = new DirtyQueue();
    }
  }

  /** Asked for by those that find no room, too, who look at nothing else of the volume. */
  int node(int volume) {
    return cluster.nodeOfVolume(volume);
  }

  double writeBytesPerSecond(int volume) {
    return Double.longBitsToDouble(lines[volume * LINE + WRITE_BYTES_PER_SECOND]);
  }

  /** Bytes that wait for the device; those of a flush are not among them. */
  long queuedBytes(int volume) {
    return lines[volume * LINE + QUEUED];
  }

  /** Bytes that were written to the volume, less those that were deleted before its device. */
  long writtenBytes(int volume) {
    return lines[volume * LINE + WRITTEN];
  }

  /** A write is over. */
  void wrote(int volume, long bytes) {
    lines[volume * LINE + WRITTEN] += bytes;
  }

  /** Its bytes wait for the device. */
  void queue(int volume, long file, long bytes, long tick) {
    int line = volume * LINE;
    queues[volume].add(file, bytes, tick);
    if (lines[line + QUEUED] == 0) {
      lines[line + OLDEST_TICK] = tick;
    }
    lines[line + QUEUED] += bytes;
  }

  /** A file is deleted; returns how much of it waited. */
  long forget(int volume, long file) {
    if (queuedBytes(volume) == 0) {
      return 0;
    }
    long gone = queues[volume].remove(file);
    noteQueued(volume);
    lines[volume * LINE + WRITTEN] -= gone;
    return gone;
  }

  boolean isFlushing(int volume) {
    return lines[volume * LINE + FLOW] != NO_FLOW;
  }

  /** The flow of the flush that is under way. */
  int flow(int volume) {
    return (int) lines[volume * LINE + FLOW];
  }

  /** Takes the oldest bytes out of the queue, for a flush. */
  void take(int volume, long bytes) {
    queues[volume].take(bytes);
    noteQueued(volume);
    lines[volume * LINE + FLUSHING] = bytes;
  }

  void began(int volume, int flow) {
    lines[volume * LINE + FLOW] = flow;
  }

  /** The flush is over; returns its bytes. */
  long ended(int volume) {
    int line = volume * LINE;
    long bytes = lines[line + FLUSHING];
    lines[line + FLOW] = NO_FLOW;
    lines[line + FLUSHING] = 0;
    return bytes;
  }

  long flushingBytes(int volume) {
    return lines[volume * LINE + FLUSHING];
  }

  /** Drops what waits; returns how much that was. */
  long clear(int volume) {
    long bytes = queuedBytes(volume);
    queues[volume].clear();
    noteQueued(volume);
    return bytes;
  }

  private void noteQueued(int volume) {
    DirtyQueue queue = queues[volume];
    lines[volume * LINE + QUEUED] = queue.bytes();
    if (queue.bytes() > 0) {
      lines[volume * LINE + OLDEST_TICK] = queue.oldestTick();
    }
  }

  /** When the oldest of what waits was written, if anything does. */
  long oldestTick(int volume) {
    return lines[volume * LINE + OLDEST_TICK];
  }

  boolean expiryIsTimed(int volume) {
    return lines[volume * LINE + EXPIRY_IS_TIMED] != 0;
  }

  void setExpiryIsTimed(int volume, boolean isTimed) {
    lines[volume * LINE + EXPIRY_IS_TIMED] = isTimed ? 1 : 0;
  }
}
