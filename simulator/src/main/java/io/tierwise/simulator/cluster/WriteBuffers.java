package io.tierwise.simulator.cluster;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;

/**
 * Dirty data in memory: a write is over when its bytes are in the buffer cache, and the device
 * follows, one flush at a time on each.
 *
 * <p>Source: DerbyhatS 4.3.2 (a write returns from the buffer cache and does not wait for the
 * device). Linux: the buffer is vm.dirty_ratio; devices follow when more than
 * vm.dirty_background_ratio is dirty or while the oldest of what is dirty is 30 s old
 * (vm.dirty_expire_centisecs). Own: a flush takes the newer data of the volume, too, so that there
 * are few. A write begins when all nodes that take it have room for it, first come, first served on
 * each node: as fast as the devices follow when buffers are full. One that waited for one node
 * keeps its turn on the others. A writer that is slower than the device takes room for its share of
 * the device's rate only: the device follows while it writes.
 */
public final class WriteBuffers {
  private static final int NONE = -1;

  /** Of data that nobody deletes before its device has it. */
  private static final long NO_FILE = -1;

  /** In the place of a turn: nobody is asked to try again. */
  private static final long NOBODY = -1;

  /** A flush takes at most this share of its node's buffer, so that room comes back steadily. */
  private static final int FLUSHES_A_BUFFER = 8;

  /**
   * Own: and at most so many bytes, or writers on nodes with much memory would wait for nothing.
   */
  private static final long FLUSH_BYTES_MAX = 128L << 20;

  /**
   * And at least so many, or nodes with hardly a buffer would write byte by byte. Source: Linux's
   * MIN_WRITEBACK_PAGES.
   */
  private static final long FLUSH_BYTES_MIN = 4L << 20;

  private static final double EXPIRE_SECONDS = 30;

  private final Engine engine;
  private final Transfers transfers;
  private final Paths paths;
  private final boolean writeThrough;
  private final int owner;
  private final PathBuffer path = new PathBuffer();
  private final NodeRooms rooms;
  private final VolumeWrites volumes;
  private final TurnQueue[] waiters;
  private final long expireTicks = Ticks.ofSeconds(EXPIRE_SECONDS);
  private final int expired;

  /** Is told that there may be room now, and asks again. */
  @FunctionalInterface
  public interface RoomListener {
    void roomMayBe(long ticket);
  }

  /** Turns are numbered in the order in which writers came. */
  private long nextTurn;

  /** The turn of the writer that is being told of room, until it asks. */
  private long askedTurn = NOBODY;

  /**
   * Empty buffers.
   *
   * @param writeThrough whether every write goes to its device at once
   */
  public WriteBuffers(
      Engine engine,
      VirtualCluster cluster,
      Transfers transfers,
      Paths paths,
      boolean writeThrough) {
    this.engine = engine;
    this.transfers = transfers;
    this.paths = paths;
    this.writeThrough = writeThrough;
    this.owner = transfers.addOwner(this::flushed);
    this.rooms = new NodeRooms(cluster);
    this.volumes = new VolumeWrites(cluster);
    this.expired = engine.register(this::expired);
    this.waiters = new TurnQueue[cluster.nodeCount()];
    for (int node = 0; node < waiters.length; node++) {
      waiters[node] = new TurnQueue();
    }
  }

  /**
   * Takes room for a write of {@code bytes} to each of some volumes, on all their nodes or on none.
   *
   * @param targets distinct nodes' volumes; {@code -1} entries are left out
   * @param bytesPerSecondMax of the writer
   * @param listener asked to try again, with {@code ticket}, when there may be room
   * @return whether there is room; if not, the listener is told later
   */
  public boolean reserve(
      int[] targets, long bytes, double bytesPerSecondMax, RoomListener listener, long ticket) {
    if (writeThrough) {
      return true;
    }
    long turn = askedTurn == NOBODY ? nextTurn++ : askedTurn;
    askedTurn = NOBODY;
    for (int volume : targets) {
      if (volume == NONE) {
        continue;
      }
      int node = volumes.node(volume);
      long room = room(volume, bytes, bytesPerSecondMax);
      if (rooms.firstTurn(node) < turn || !rooms.fits(node, room)) {
        waiters[node].add(turn, room, listener, ticket);
        noteFirst(node);
        follow(node);
        return false;
      }
    }
    for (int volume : targets) {
      if (volume != NONE) {
        rooms.addDirty(volumes.node(volume), room(volume, bytes, bytesPerSecondMax));
      }
    }
    return true;
  }

  private void noteFirst(int node) {
    TurnQueue queue = waiters[node];
    rooms.setFirstTurn(node, queue.isEmpty() ? NodeRooms.NO_TURN : queue.turn());
  }

  /** At most so much is written in one go: others find room while the writer reads or merges. */
  public long pieceBytesMax(int volume) {
    return writeThrough ? Long.MAX_VALUE : shareOfBuffer(volumes.node(volume));
  }

  private long shareOfBuffer(int node) {
    return Math.max(FLUSH_BYTES_MIN, rooms.bufferBytes(node) / FLUSHES_A_BUFFER);
  }

  /** Bytes of the buffer that a write holds until it is over. */
  private long room(int volume, long bytes, double bytesPerSecondMax) {
    if (bytesPerSecondMax == Double.POSITIVE_INFINITY) {
      return bytes;
    }
    double share = bytesPerSecondMax / volumes.writeBytesPerSecond(volume);
    return share >= 1 ? bytes : (long) ((double) bytes * share);
  }

  /** Adds what a write of {@code bytes} to a volume uses, for which there is room. */
  public void addWrite(PathBuffer path, int volume, long bytes) {
    addWrite(path, volume, bytes, 1);
  }

  /** As {@link #addWrite}, of {@code share} bytes for each byte that takes the path. */
  public void addWrite(PathBuffer path, int volume, long bytes, double share) {
    if (writeThrough) {
      paths.writeDevice(path, volume, (double) bytes, share);
    } else {
      paths.memory(path, volumes.node(volume), share);
    }
  }

  /** A write of a writer of that speed is over: the device may have it. */
  public void written(int volume, long bytes, double bytesPerSecondMax) {
    writtenOf(NO_FILE, volume, bytes, bytesPerSecondMax);
  }

  /** As {@link #written(int, long, double)}, of a file that may be {@link #deleted}. */
  public void writtenOf(long file, int volume, long bytes, double bytesPerSecondMax) {
    if (!writeThrough) {
      rooms.addDirty(volumes.node(volume), bytes - room(volume, bytes, bytesPerSecondMax));
    }
    writtenOf(file, volume, bytes);
  }

  /** A write for which there was room for every byte is over: the device may have it. */
  public void written(int volume, long bytes) {
    writtenOf(NO_FILE, volume, bytes);
  }

  /**
   * As {@link #written(int, long)}, of a file that may be {@link #deleted}.
   *
   * @param file a number of the caller's, 0 or more
   */
  public void writtenOf(long file, int volume, long bytes) {
    volumes.wrote(volume, bytes);
    if (writeThrough) {
      return;
    }
    volumes.queue(volume, file, bytes, engine.now());
    int node = volumes.node(volume);
    if (rooms.isPressed(node) && !rooms.isFollowed(node)) {
      follow(node);
    } else {
      flush(volume);
    }
  }

  /** A file was deleted: the device never sees what it does not have yet. */
  public void deleted(long file, int volume) {
    long gone = volumes.forget(volume, file);
    if (gone > 0) {
      free(volumes.node(volume), gone);
    }
  }

  /** A write for which there was room will not be finished. */
  public void giveUp(int volume, long bytes, double bytesPerSecondMax) {
    if (!writeThrough) {
      free(volumes.node(volume), room(volume, bytes, bytesPerSecondMax));
    }
  }

  /** All devices of a node that is pressed write what they have, until it is pressed no more. */
  private void follow(int node) {
    if (rooms.isFollowed(node)) {
      return;
    }
    rooms.setFollowed(node, true);
    int end = rooms.endVolume(node);
    for (int volume = rooms.firstVolume(node); volume < end; volume++) {
      flush(volume);
    }
  }

  private void expired(long volume) {
    volumes.setExpiryIsTimed((int) volume, false);
    flush((int) volume);
  }

  private void flush(int volume) {
    if (volumes.isFlushing(volume) || volumes.queuedBytes(volume) == 0) {
      return;
    }
    int node = volumes.node(volume);
    long expiryTick = volumes.oldestTick(volume) + expireTicks;
    if (engine.now() < expiryTick && !rooms.isPressed(node)) {
      if (!volumes.expiryIsTimed(volume)) {
        volumes.setExpiryIsTimed(volume, true);
        engine.at(expiryTick, expired, volume);
      }
      return;
    }
    long share = Math.min(shareOfBuffer(node), FLUSH_BYTES_MAX);
    long bytes = Math.min(volumes.queuedBytes(volume), share);
    volumes.take(volume, bytes);
    paths.writeDevice(path.clear(), volume, (double) bytes, 1);
    volumes.began(
        volume, transfers.start(owner, path, (double) bytes, Double.POSITIVE_INFINITY, volume));
  }

  private void flushed(int flow, long payload) {
    int volume = (int) payload;
    int node = volumes.node(volume);
    long bytes = volumes.ended(volume);
    // Until its next flush begins, whoever finds the node full has to begin it.
    boolean others = rooms.isFollowed(node);
    rooms.setFollowed(node, false);
    free(node, bytes);
    flush(volume);
    rooms.setFollowed(node, (others || rooms.isFollowed(node)) && rooms.isPressed(node));
  }

  private void free(int node, long bytes) {
    rooms.addDirty(node, -bytes);
    forgetFollowed(node);
    TurnQueue queue = waiters[node];
    while (rooms.firstTurn(node) != NodeRooms.NO_TURN && rooms.fits(node, queue.bytes())) {
      askedTurn = queue.turn();
      RoomListener listener = queue.listener();
      long ticket = queue.ticket();
      queue.removeFirst();
      noteFirst(node);
      forgetFollowed(node);
      listener.roomMayBe(ticket);
      askedTurn = NOBODY;
    }
  }

  private void forgetFollowed(int node) {
    if (!rooms.isPressed(node)) {
      rooms.setFollowed(node, false);
    }
  }

  /** The volume is gone, and with it what its buffer held. */
  public void fail(int volume) {
    if (volumes.isFlushing(volume)) {
      transfers.network().cancel(volumes.flow(volume));
    }
    long lost = volumes.ended(volume) + volumes.clear(volume);
    free(volumes.node(volume), lost);
  }

  /** Whether no device of the node with dirty data is idle, if a writer waits for room there. */
  public boolean devicesFollow(int node) {
    if (rooms.firstTurn(node) == NodeRooms.NO_TURN && !rooms.isFollowed(node)) {
      return true;
    }
    for (int volume = rooms.firstVolume(node); volume < rooms.endVolume(node); volume++) {
      if (volumes.queuedBytes(volume) > 0 && !volumes.isFlushing(volume)) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of the node that no device has yet, and those that are being written. */
  public long dirtyBytes(int node) {
    return rooms.dirtyBytes(node);
  }

  /** Of the node's dirty bytes those that its devices may have, now or when they are old enough. */
  public long queuedBytes(int node) {
    long bytes = 0;
    for (int volume = rooms.firstVolume(node); volume < rooms.endVolume(node); volume++) {
      bytes += volumes.queuedBytes(volume) + volumes.flushingBytes(volume);
    }
    return bytes;
  }

  /** Bytes that were written to the volume, those that are still buffered included. */
  public long writtenBytes(int volume) {
    return volumes.writtenBytes(volume);
  }

  /** Of {@link #writtenBytes} what no device has yet, all of a flush under way included. */
  public long bufferedBytes(int volume) {
    return volumes.queuedBytes(volume) + volumes.flushingBytes(volume);
  }
}
