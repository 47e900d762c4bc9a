package io.tierwise.policies.movement;

import io.tierwise.core.action.Move;
import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ArrayClusterView;
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

  private final ArrayClusterView view;
  private final double[] queueSeconds;

  /** By tier: blocks from this size on have found no volume with room. */
  private final long[] fullFromBytes;

  /**
   * @param view its free bytes are what moves may use up, and are changed here: what is to be kept
   *     free is taken off before
   */
  public MovementState(ArrayClusterView view) {
    this.view = Objects.requireNonNull(view, "view");
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

  /** How long the volume's device has to do with what was promised. */
  double queueSeconds(int volume) {
    return queueSeconds[volume];
  }

  Move.Cost cost(int source, int to, long bytes) {
    boolean inside = view.nodeOfVolume(source) == view.nodeOfVolume(to);
    double read = bytes / classOf(source).readBytesPerSecond();
    double write = bytes / classOf(to).writeBytesPerSecond();
    return new Move.Cost(bytes, inside ? 0 : bytes, Math.max(read, write));
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
