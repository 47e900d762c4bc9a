package io.tierwise.simulator.cluster;

import io.tierwise.simulator.network.FlowNetwork;

/**
 * Dirty data in memory: a write is over when its bytes are in the buffer cache, and the device
 * follows. One flush at a time runs on each device, of all that waits for it by then.
 *
 * <p>Source: DerbyhatS 4.3.2 (a write returns from the buffer cache and does not wait for the
 * device). Own: a write that finds the buffer full goes at the device's speed instead.
 */
public final class WriteBuffers implements Transfers.Owner {
  private final VirtualCluster cluster;
  private final Transfers transfers;
  private final Paths paths;
  private final boolean writeThrough;
  private final int owner;
  private final PathBuffer path = new PathBuffer();
  private final long[] dirtyBytes;
  private final long[] waitingBytes;
  private final long[] flushingBytes;
  private final int[] flushes;
  private final long[] writtenBytes;

  public WriteBuffers(
      VirtualCluster cluster, Transfers transfers, Paths paths, boolean writeThrough) {
    this.cluster = cluster;
    this.transfers = transfers;
    this.paths = paths;
    this.writeThrough = writeThrough;
    this.owner = transfers.addOwner(this);
    this.dirtyBytes = new long[cluster.nodeCount()];
    this.waitingBytes = new long[cluster.volumeCount()];
    this.flushingBytes = new long[cluster.volumeCount()];
    this.flushes = new int[cluster.volumeCount()];
    this.writtenBytes = new long[cluster.volumeCount()];
    java.util.Arrays.fill(flushes, -1);
  }

  /**
   * Adds what a write of {@code bytes} to a volume uses: memory when the buffer takes it, else the
   * device.
   *
   * @return whether the buffer takes it: {@link #absorb} must then be called when it is written
   */
  public boolean addWrite(PathBuffer path, int volume, long bytes) {
    int node = cluster.volume(volume).node();
    if (!writeThrough && dirtyBytes[node] + bytes <= cluster.node(node).writeBufferBytes()) {
      dirtyBytes[node] += bytes;
      paths.memory(path, node, 1);
      return true;
    }
    paths.writeDevice(path, volume, (double) bytes);
    writtenBytes[volume] += bytes;
    return false;
  }

  /** The write that the buffer took is over: the device may have it. */
  public void absorb(int volume, long bytes) {
    waitingBytes[volume] += bytes;
    writtenBytes[volume] += bytes;
    flush(volume);
  }

  /** The write that the buffer took will not be finished. */
  public void giveUp(int volume, long bytes) {
    dirtyBytes[cluster.volume(volume).node()] -= bytes;
  }

  private void flush(int volume) {
    if (flushes[volume] >= 0 || waitingBytes[volume] == 0) {
      return;
    }
    long bytes = waitingBytes[volume];
    waitingBytes[volume] = 0;
    flushingBytes[volume] = bytes;
    paths.writeDevice(path.clear(), volume, (double) bytes);
    flushes[volume] =
        transfers.start(owner, path, (double) bytes, Double.POSITIVE_INFINITY, volume);
  }

  @Override
  public void transferred(int flow, long payload) {
    int volume = (int) payload;
    flushes[volume] = -1;
    dirtyBytes[cluster.volume(volume).node()] -= flushingBytes[volume];
    flushingBytes[volume] = 0;
    flush(volume);
  }

  /** The volume is gone, and with it what its buffer held. */
  public void fail(int volume) {
    if (flushes[volume] >= 0) {
      FlowNetwork network = transfers.network();
      network.cancel(flushes[volume]);
      flushes[volume] = -1;
    }
    int node = cluster.volume(volume).node();
    dirtyBytes[node] -= flushingBytes[volume] + waitingBytes[volume];
    flushingBytes[volume] = 0;
    waitingBytes[volume] = 0;
  }

  /** Bytes of the node that no device has yet. */
  public long dirtyBytes(int node) {
    return dirtyBytes[node];
  }

  /** Bytes that were written to the volume, those that are still buffered included. */
  public long writtenBytes(int volume) {
    return writtenBytes[volume];
  }
}
