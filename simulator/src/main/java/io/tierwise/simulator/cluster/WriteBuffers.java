package io.tierwise.simulator.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Dirty data in memory: a write is over when its bytes are in the buffer cache, and the device
 * follows, one flush at a time on each.
 *
 * <p>Source: DerbyhatS 4.3.2 (a write returns from the buffer cache and does not wait for the
 * device). Own: a write begins when all nodes that take it have room for it, first come, first
 * served on each node: as fast as the devices follow when buffers are full.
 */
public final class WriteBuffers {
  private static final int NONE = -1;

  /** A flush takes at most this share of its node's buffer, so that room comes back steadily. */
  private static final int FLUSHES_A_BUFFER = 8;

  /**
   * Own: and at most so many bytes, or writers on nodes with much memory would wait for nothing.
   */
  private static final long FLUSH_BYTES_MAX = 128L << 20;

  private final VirtualCluster cluster;
  private final Transfers transfers;
  private final Paths paths;
  private final boolean writeThrough;
  private final int owner;
  private final PathBuffer path = new PathBuffer();
  private final long[] dirtyBytes;
  private final List<Deque<Waiter>> waiters = new ArrayList<>();
  private final long[] waitingBytes;
  private final long[] flushingBytes;
  private final int[] flushes;
  private final long[] writtenBytes;

  /** Is told that there may be room now, and asks again. */
  @FunctionalInterface
  public interface RoomListener {
    void roomMayBe(long ticket);
  }

  private record Waiter(long bytes, RoomListener listener, long ticket) {}

  /**
   * Empty buffers.
   *
   * @param writeThrough whether every write goes to its device at once
   */
  public WriteBuffers(
      VirtualCluster cluster, Transfers transfers, Paths paths, boolean writeThrough) {
    this.cluster = cluster;
    this.transfers = transfers;
    this.paths = paths;
    this.writeThrough = writeThrough;
    this.owner = transfers.addOwner(this::flushed);
    this.dirtyBytes = new long[cluster.nodeCount()];
    this.waitingBytes = new long[cluster.volumeCount()];
    this.flushingBytes = new long[cluster.volumeCount()];
    this.flushes = new int[cluster.volumeCount()];
    this.writtenBytes = new long[cluster.volumeCount()];
    Arrays.fill(flushes, NONE);
    for (int node = 0; node < cluster.nodeCount(); node++) {
      waiters.add(new ArrayDeque<>(0));
    }
  }

  /**
   * Takes room for a write of {@code bytes} to each of some volumes, on all their nodes or on none.
   *
   * @param volumes distinct nodes' volumes; {@code -1} entries are left out
   * @param listener asked to try again, with {@code ticket}, when there may be room
   * @return whether there is room; if not, the listener is told later
   */
  public boolean reserve(int[] volumes, long bytes, RoomListener listener, long ticket) {
    if (writeThrough) {
      return true;
    }
    for (int volume : volumes) {
      if (volume != NONE && !fits(nodeOf(volume), bytes)) {
        waiters.get(nodeOf(volume)).add(new Waiter(bytes, listener, ticket));
        return false;
      }
    }
    for (int volume : volumes) {
      if (volume != NONE) {
        dirtyBytes[nodeOf(volume)] += bytes;
      }
    }
    return true;
  }

  /** An empty buffer takes anything: a block may be larger than the buffer. */
  private boolean fits(int node, long bytes) {
    return dirtyBytes[node] == 0
        || dirtyBytes[node] + bytes <= cluster.node(node).writeBufferBytes();
  }

  /** Adds what a write of {@code bytes} to a volume uses, for which there is room. */
  public void addWrite(PathBuffer path, int volume, long bytes) {
    if (writeThrough) {
      paths.writeDevice(path, volume, (double) bytes);
    } else {
      paths.memory(path, nodeOf(volume), 1);
    }
  }

  /** A write is over: the device may have it. */
  public void written(int volume, long bytes) {
    writtenBytes[volume] += bytes;
    if (!writeThrough) {
      waitingBytes[volume] += bytes;
      flush(volume);
    }
  }

  /** A write for which there was room will not be finished. */
  public void giveUp(int volume, long bytes) {
    if (!writeThrough) {
      free(nodeOf(volume), bytes);
    }
  }

  private int nodeOf(int volume) {
    return cluster.volume(volume).node();
  }

  private void flush(int volume) {
    if (flushes[volume] != NONE || waitingBytes[volume] == 0) {
      return;
    }
    long share = Math.max(1, cluster.node(nodeOf(volume)).writeBufferBytes() / FLUSHES_A_BUFFER);
    long bytes = Math.min(waitingBytes[volume], Math.min(share, FLUSH_BYTES_MAX));
    waitingBytes[volume] -= bytes;
    flushingBytes[volume] = bytes;
    paths.writeDevice(path.clear(), volume, (double) bytes);
    flushes[volume] =
        transfers.start(owner, path, (double) bytes, Double.POSITIVE_INFINITY, volume);
  }

  private void flushed(int flow, long payload) {
    int volume = (int) payload;
    long bytes = flushingBytes[volume];
    flushes[volume] = NONE;
    flushingBytes[volume] = 0;
    flush(volume);
    free(nodeOf(volume), bytes);
  }

  private void free(int node, long bytes) {
    dirtyBytes[node] -= bytes;
    Deque<Waiter> queue = waiters.get(node);
    while (!queue.isEmpty() && fits(node, queue.peek().bytes())) {
      Waiter waiter = queue.remove();
      waiter.listener().roomMayBe(waiter.ticket());
    }
  }

  /** The volume is gone, and with it what its buffer held. */
  public void fail(int volume) {
    if (flushes[volume] != NONE) {
      transfers.network().cancel(flushes[volume]);
      flushes[volume] = NONE;
    }
    long lost = flushingBytes[volume] + waitingBytes[volume];
    flushingBytes[volume] = 0;
    waitingBytes[volume] = 0;
    free(nodeOf(volume), lost);
  }

  /** Bytes of the node that no device has yet, and those that are being written. */
  public long dirtyBytes(int node) {
    return dirtyBytes[node];
  }

  /** Bytes that were written to the volume, those that are still buffered included. */
  public long writtenBytes(int volume) {
    return writtenBytes[volume];
  }
}
