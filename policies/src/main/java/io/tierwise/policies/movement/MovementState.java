package io.tierwise.policies.movement;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.core.view.LoadView;
import java.util.Arrays;
import java.util.Objects;

/**
 * The moves that were planned so far take room on their new volumes, and time of the devices that
 * they read and write: that is counted here. The host keeps it and hands it in; it is for one
 * thread.
 *
 * <p>Room that a move will free counts only in the host's next view: until the engine has dropped a
 * replica its room is not there. Memory does not grow with the number of moves.
 */
public final class MovementState {
  /**
   * Own: stands for a speed that nobody measured, in bytes per second. Only the comparison of
   * queues depends on it.
   */
  private static final double UNMEASURED = 1e8;

  /**
   * Own: a DataNode serves so many idle connections of one client that keeps them
   * (dfs.client.socketcache.capacity), so up to there transfers say nothing about its devices.
   */
  static final int IDLE_TRANSFERS = 16;

  private final ArrayClusterView view;
  private final LoadView load;
  private final double[] queueSeconds;

  /** By tier: blocks from this size on have found no volume with room. */
  private final long[] fullFromBytes;

  /** Nobody knows how busy nodes are. */
  public MovementState(ArrayClusterView view) {
    this(view, LoadView.UNKNOWN);
  }

  /**
   * @param view its free bytes are what moves may use up, and are changed here: what is to be kept
   *     free is taken off before
   * @param load of the same nodes
   */
  public MovementState(ArrayClusterView view, LoadView load) {
    this.view = Objects.requireNonNull(view, "view");
    this.load = Objects.requireNonNull(load, "load");
    this.queueSeconds = new double[view.volumeCount()];
    this.fullFromBytes = new long[view.tiers().count()];
    Arrays.fill(fullFromBytes, Long.MAX_VALUE);
  }

  public ArrayClusterView view() {
    return view;
  }

  /** Notes a move that will be made. */
  public void promise(Move move) {
    long bytes = move.cost().writtenBytes();
    view.setFreeBytes(move.to(), view.freeBytes(move.to()) - bytes);
    queueSeconds[move.to()] += bytes / writeSpeed(move.to());
    queueSeconds[move.source()] += bytes / readSpeed(move.source());
  }

  /** Notes that the devices are done with a move that was promised. */
  public void done(Move move) {
    long bytes = move.cost().writtenBytes();
    queueSeconds[move.to()] -= bytes / writeSpeed(move.to());
    queueSeconds[move.source()] -= bytes / readSpeed(move.source());
  }

  /** Takes back a move that was promised and will not be made. */
  public void withdraw(Move move) {
    done(move);
    view.setFreeBytes(move.to(), view.freeBytes(move.to()) + move.cost().writtenBytes());
    int tier = view.tierOfVolume(move.to());
    if (tier != TierTable.NONE) {
      fullFromBytes[tier] = Long.MAX_VALUE;
    }
  }

  /**
   * How long the volume's device has to do before it would be done with a block more, beyond the
   * block's own time.
   *
   * <p>q + n (q + s): seconds; q what was promised, n the transfers of its node besides idle ones,
   * s the block's own time. Own: each transfer slows the device as one more reader does.
   *
   * @param ownSeconds of the block on the device
   */
  private double queueSeconds(int volume, double ownSeconds) {
    double promised = queueSeconds[volume];
    int busy = busyTransfers(view.nodeOfVolume(volume));
    return busy == 0 ? promised : promised + busy * (promised + ownSeconds);
  }

  /** How long a block that is written to the volume has to wait. */
  double writeQueueSeconds(int volume, long bytes) {
    return queueSeconds(volume, bytes / writeSpeed(volume));
  }

  /** How long a block that is read from the volume has to wait. */
  double readQueueSeconds(int volume, long bytes) {
    return queueSeconds(volume, bytes / readSpeed(volume));
  }

  private int busyTransfers(int node) {
    return load.ageMillis(node) > ForegroundShare.AGE_MILLIS_MAX
        ? 0
        : Math.max(0, load.transfers(node) - IDLE_TRANSFERS);
  }

  /**
   * The cost of a move.
   *
   * <p>t = max(s / r, s / w), E = (A_r - I_r) s / r + (A_w - I_w) s / w: seconds, joules; s bytes,
   * r and w the speeds of the device that is read and of the one that is written, A and I their
   * watts active and idle. Own: each device is active for as long as its own bytes take, and idle
   * while it waits for the other.
   */
  Cost cost(int source, int to, long bytes) {
    boolean inside = view.nodeOfVolume(source) == view.nodeOfVolume(to);
    DeviceClass from = classOf(source);
    DeviceClass onto = classOf(to);
    double read = bytes / from.readBytesPerSecond();
    double write = bytes / onto.writeBytesPerSecond();
    double joules = from.power().addedJoules(read) + onto.power().addedJoules(write);
    return new Cost(bytes, inside ? 0 : bytes, 0, Math.max(read, write), joules);
  }

  /** Whether no volume of {@code tier} is known to have had room for so many bytes. */
  boolean isKnownFull(int tier, long bytes) {
    return bytes >= fullFromBytes[tier];
  }

  /**
   * Looks at every volume of a tier, so that the next block that finds it full need not; whether
   * none has room.
   */
  boolean isFull(int tier, long bytes) {
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      if (view.tierOfVolume(volume) == tier && view.freeBytes(volume) >= bytes) {
        return false;
      }
    }
    fullFromBytes[tier] = Math.min(fullFromBytes[tier], bytes);
    return true;
  }

  private double readSpeed(int volume) {
    return orUnmeasured(classOf(volume).readBytesPerSecond());
  }

  private double writeSpeed(int volume) {
    return orUnmeasured(classOf(volume).writeBytesPerSecond());
  }

  private static double orUnmeasured(double speed) {
    return Double.isNaN(speed) ? UNMEASURED : speed;
  }

  private static final DeviceClass NO_TIER = DeviceClass.unmeasured("no tier");

  private DeviceClass classOf(int volume) {
    int tier = view.tierOfVolume(volume);
    return tier == TierTable.NONE ? NO_TIER : view.tiers().tier(tier).deviceClass();
  }
}
