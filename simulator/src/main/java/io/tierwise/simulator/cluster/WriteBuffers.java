package io.tierwise.simulator.cluster;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Dirty data in memory: a write is over when its bytes are in the buffer cache, and the device
 * follows, one flush at a time on each.
 *
 * <p>Source: DerbyhatS 4.3.2 (a write returns from the buffer cache and does not wait for the
 * device). Linux: the buffer is vm.dirty_ratio; devices follow when more than
 * vm.dirty_background_ratio is dirty or what is dirty is 30 s old (vm.dirty_expire_centisecs), and
 * then take the newer data of the volume, too. Own: a write begins when all nodes that take it have
 * room for it, first come, first served on each node: as fast as the devices follow when buffers
 * are full. One that waited for one node keeps its turn on the others. A writer that is slower than
 * the device takes room for its share of the device's rate only: the device follows while it
 * writes.
 */
public final class WriteBuffers {
  private static final int NONE = -1;

  /** Of data that nobody deletes before its device has it. */
  private static final long NO_FILE = -1;

  /** In the place of a turn: nobody is asked to try again. */
  private static final long NOBODY = -1;

  /** In the place of the turn of the first writer: behind all turns. */
  private static final long NO_TURN = Long.MAX_VALUE;

  private static final int WORDS = 3;
  private static final int BUFFER = 1;
  private static final int FIRST_TURN = 2;

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
  private final VirtualCluster cluster;
  private final Transfers transfers;
  private final Paths paths;
  private final boolean writeThrough;
  private final int owner;
  private final PathBuffer path = new PathBuffer();

  /** Of each volume; here and not asked of the cluster, since every write asks. */
  private final int[] nodes;

  private final double[] writeBytesPerSecond;

  /**
   * Three numbers a node, side by side, since a writer that asks for room needs all of them: its
   * dirty bytes, the room of its buffer, and the turn of the first writer that waits, or {@link
   * #NO_TURN}.
   */
  private final long[] rooms;

  private final TurnQueue[] waiters;
  private final DirtyQueue[] waiting;
  private final long[] flushingBytes;
  private final int[] flushes;
  private final long[] writtenBytes;

  /** When the volume's dirty data is old enough to be written, if nothing calls for it before. */
  private final long[] expiryTick;

  private final boolean[] expiryIsTimed;
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
    this.cluster = cluster;
    this.transfers = transfers;
    this.paths = paths;
    this.writeThrough = writeThrough;
    this.owner = transfers.addOwner(this::flushed);
    this.nodes =
        IntStream.range(0, cluster.volumeCount()).map(v -> cluster.volume(v).node()).toArray();
    this.writeBytesPerSecond =
        IntStream.range(0, cluster.volumeCount())
            .mapToDouble(v -> cluster.volume(v).device().writeBytesPerSecond())
            .toArray();
    this.rooms = new long[cluster.nodeCount() * WORDS];
    this.waiters = new TurnQueue[cluster.nodeCount()];
    this.waiting = new DirtyQueue[cluster.volumeCount()];
    this.flushingBytes = new long[cluster.volumeCount()];
    this.flushes = new int[cluster.volumeCount()];
    this.writtenBytes = new long[cluster.volumeCount()];
    this.expiryTick = new long[cluster.volumeCount()];
    this.expiryIsTimed = new boolean[cluster.volumeCount()];
    this.expired = engine.register(this::expired);
    Arrays.fill(flushes, NONE);
    for (int node = 0; node < cluster.nodeCount(); node++) {
      waiters[node] = new TurnQueue();
      rooms[node * WORDS + BUFFER] = cluster.node(node).writeBufferBytes();
      rooms[node * WORDS + FIRST_TURN] = NO_TURN;
    }
    for (int volume = 0; volume < cluster.volumeCount(); volume++) {
      waiting[volume] = new DirtyQueue();
    }
  }

  /**
   * Takes room for a write of {@code bytes} to each of some volumes, on all their nodes or on none.
   *
   * @param volumes distinct nodes' volumes; {@code -1} entries are left out
   * @param bytesPerSecondMax of the writer
   * @param listener asked to try again, with {@code ticket}, when there may be room
   * @return whether there is room; if not, the listener is told later
   */
  public boolean reserve(
      int[] volumes, long bytes, double bytesPerSecondMax, RoomListener listener, long ticket) {
    if (writeThrough) {
      return true;
    }
    long turn = askedTurn == NOBODY ? nextTurn++ : askedTurn;
    askedTurn = NOBODY;
    for (int volume : volumes) {
      if (volume == NONE) {
        continue;
      }
      int node = nodeOf(volume);
      long room = room(volume, bytes, bytesPerSecondMax);
      if (isAnybodyBefore(turn, node) || !fits(node, room)) {
        waiters[node].add(turn, room, listener, ticket);
        noteFirst(node);
        flushNode(node);
        return false;
      }
    }
    for (int volume : volumes) {
      if (volume != NONE) {
        rooms[nodeOf(volume) * WORDS] += room(volume, bytes, bytesPerSecondMax);
      }
    }
    return true;
  }

  private boolean isAnybodyBefore(long turn, int node) {
    return rooms[node * WORDS + FIRST_TURN] < turn;
  }

  private void noteFirst(int node) {
    TurnQueue queue = waiters[node];
    rooms[node * WORDS + FIRST_TURN] = queue.isEmpty() ? NO_TURN : queue.turn();
  }

  /** At most so much is written in one go: others find room while the writer reads or merges. */
  public long pieceBytesMax(int volume) {
    return writeThrough ? Long.MAX_VALUE : shareOfBuffer(nodeOf(volume));
  }

  private long shareOfBuffer(int node) {
    return Math.max(FLUSH_BYTES_MIN, cluster.node(node).writeBufferBytes() / FLUSHES_A_BUFFER);
  }

  /** Bytes of the buffer that a write holds until it is over. */
  private long room(int volume, long bytes, double bytesPerSecondMax) {
    if (bytesPerSecondMax == Double.POSITIVE_INFINITY) {
      return bytes;
    }
    double share = bytesPerSecondMax / writeBytesPerSecond[volume];
    return share >= 1 ? bytes : (long) ((double) bytes * share);
  }

  /** An empty buffer takes anything: a block may be larger than the buffer. */
  private boolean fits(int node, long bytes) {
    long dirty = rooms[node * WORDS];
    return dirty == 0 || dirty + bytes <= rooms[node * WORDS + BUFFER];
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
      paths.memory(path, nodeOf(volume), share);
    }
  }

  /** A write of a writer of that speed is over: the device may have it. */
  public void written(int volume, long bytes, double bytesPerSecondMax) {
    writtenOf(NO_FILE, volume, bytes, bytesPerSecondMax);
  }

  /** As {@link #written(int, long, double)}, of a file that may be {@link #deleted}. */
  public void writtenOf(long file, int volume, long bytes, double bytesPerSecondMax) {
    if (!writeThrough) {
      rooms[nodeOf(volume) * WORDS] += bytes - room(volume, bytes, bytesPerSecondMax);
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
    writtenBytes[volume] += bytes;
    if (writeThrough) {
      return;
    }
    DirtyQueue queue = waiting[volume];
    if (queue.bytes() == 0) {
      expiryTick[volume] = engine.now() + expireTicks;
    }
    queue.add(file, bytes);
    if (isPressed(nodeOf(volume))) {
      flushNode(nodeOf(volume));
    } else {
      flush(volume);
    }
  }

  /** A file was deleted: the device never sees what it does not have yet. */
  public void deleted(long file, int volume) {
    long gone = waiting[volume].remove(file);
    if (gone > 0) {
      writtenBytes[volume] -= gone;
      free(nodeOf(volume), gone);
    }
  }

  /** Whether devices must not wait until dirty data is old. */
  private boolean isPressed(int node) {
    return rooms[node * WORDS + FIRST_TURN] != NO_TURN
        || rooms[node * WORDS] > cluster.node(node).writeBackgroundBytes();
  }

  /** A write for which there was room will not be finished. */
  public void giveUp(int volume, long bytes, double bytesPerSecondMax) {
    if (!writeThrough) {
      free(nodeOf(volume), room(volume, bytes, bytesPerSecondMax));
    }
  }

  private int nodeOf(int volume) {
    return nodes[volume];
  }

  private void flushNode(int node) {
    for (int volume = cluster.firstVolume(node); volume < cluster.firstVolume(node + 1); volume++) {
      flush(volume);
    }
  }

  private void expired(long volume) {
    expiryIsTimed[(int) volume] = false;
    flush((int) volume);
  }

  private void flush(int volume) {
    if (flushes[volume] != NONE) {
      return;
    }
    DirtyQueue queue = waiting[volume];
    if (queue.bytes() == 0) {
      return;
    }
    if (engine.now() < expiryTick[volume] && !isPressed(nodeOf(volume))) {
      if (!expiryIsTimed[volume]) {
        expiryIsTimed[volume] = true;
        engine.at(expiryTick[volume], expired, volume);
      }
      return;
    }
    long share = Math.min(shareOfBuffer(nodeOf(volume)), FLUSH_BYTES_MAX);
    long bytes = Math.min(queue.bytes(), share);
    queue.take(bytes);
    flushingBytes[volume] = bytes;
    paths.writeDevice(path.clear(), volume, (double) bytes, 1);
    flushes[volume] =
        transfers.start(owner, path, (double) bytes, Double.POSITIVE_INFINITY, volume);
  }

  private void flushed(int flow, long payload) {
    int volume = (int) payload;
    long bytes = flushingBytes[volume];
    flushes[volume] = NONE;
    flushingBytes[volume] = 0;
    free(nodeOf(volume), bytes);
    flush(volume);
  }

  private void free(int node, long bytes) {
    rooms[node * WORDS] -= bytes;
    TurnQueue queue = waiters[node];
    while (rooms[node * WORDS + FIRST_TURN] != NO_TURN && fits(node, queue.bytes())) {
      askedTurn = queue.turn();
      RoomListener listener = queue.listener();
      long ticket = queue.ticket();
      queue.removeFirst();
      noteFirst(node);
      listener.roomMayBe(ticket);
      askedTurn = NOBODY;
    }
  }

  /** The volume is gone, and with it what its buffer held. */
  public void fail(int volume) {
    if (flushes[volume] != NONE) {
      transfers.network().cancel(flushes[volume]);
      flushes[volume] = NONE;
    }
    long lost = flushingBytes[volume] + waiting[volume].bytes();
    flushingBytes[volume] = 0;
    waiting[volume].clear();
    free(nodeOf(volume), lost);
  }

  /** Bytes of the node that no device has yet, and those that are being written. */
  public long dirtyBytes(int node) {
    return rooms[node * WORDS];
  }

  /** Of the node's dirty bytes those that its devices may have, now or when they are old enough. */
  public long queuedBytes(int node) {
    long bytes = 0;
    for (int volume = cluster.firstVolume(node); volume < cluster.firstVolume(node + 1); volume++) {
      bytes += waiting[volume].bytes() + flushingBytes[volume];
    }
    return bytes;
  }

  /** Bytes that were written to the volume, those that are still buffered included. */
  public long writtenBytes(int volume) {
    return writtenBytes[volume];
  }
}
