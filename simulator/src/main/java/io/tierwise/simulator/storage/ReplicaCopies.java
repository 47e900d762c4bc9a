package io.tierwise.simulator.storage;

import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.measure.SentBytes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * Replicas that are being copied: each copy reads a device, crosses the links between two nodes and
 * is written as any write is. Only the owner knows what a copy is for.
 *
 * @param <T> what the owner wants back when a copy is over
 */
public final class ReplicaCopies<T> {
  private final VirtualCluster cluster;
  private final Transfers transfers;
  private final Paths paths;
  private final WriteBuffers buffers;
  private final Meters meters;
  private final Consumer<Copy<T>> whole;
  private final PathBuffer path = new PathBuffer();
  private final int owner;
  private final Map<Long, Copy<T>> running = new LinkedHashMap<>();

  /** The flows of those copies that have room at their target. */
  private final Map<Long, Integer> flows = new HashMap<>();

  private long nextTicket;

  /**
   * A copy.
   *
   * @param source the volume that is read
   * @param target the volume that is written
   * @param bytesPerSecondMax infinite for none
   */
  public record Copy<T>(T what, int source, int target, long bytes, double bytesPerSecondMax) {}

  /**
   * @param whole told when a copy is written
   */
  public ReplicaCopies(
      VirtualCluster cluster,
      Transfers transfers,
      Paths paths,
      WriteBuffers buffers,
      Meters meters,
      Consumer<Copy<T>> whole) {
    this.cluster = cluster;
    this.transfers = transfers;
    this.paths = paths;
    this.buffers = buffers;
    this.meters = meters;
    this.whole = whole;
    this.owner = transfers.addOwner(this::copied);
    meters.count(this::addUnderWay);
  }

  /** Copies under way, those that wait for room in a buffer included. */
  public int count() {
    return running.size();
  }

  /** Begins a copy. */
  public void start(Copy<T> copy) {
    running.put(nextTicket, copy);
    roomMayBe(nextTicket++);
  }

  private void roomMayBe(long ticket) {
    Copy<T> copy = running.get(ticket);
    if (copy == null) {
      return;
    }
    int[] targets = {copy.target()};
    if (!buffers.reserve(
        targets, copy.bytes(), Double.POSITIVE_INFINITY, this::roomMayBe, ticket)) {
      return;
    }
    double bytes = (double) copy.bytes();
    path.clear();
    paths.readDevice(path, copy.source(), bytes, 1);
    paths.connect(path, nodeOf(copy.source()), nodeOf(copy.target()), 1);
    buffers.addWrite(path, copy.target(), copy.bytes());
    flows.put(ticket, transfers.start(owner, path, bytes, copy.bytesPerSecondMax(), ticket));
  }

  private void copied(int flow, long ticket) {
    Copy<T> copy = running.remove(ticket);
    flows.remove(ticket);
    meters.sent(nodeOf(copy.source()), nodeOf(copy.target()), copy.bytes());
    buffers.written(copy.target(), copy.bytes());
    whole.accept(copy);
  }

  /**
   * Ends copies in the middle.
   *
   * @param ended told of each before its room in the buffer is given back
   */
  public void abandon(Predicate<Copy<T>> which, Consumer<Copy<T>> ended) {
    for (long ticket : List.copyOf(running.keySet())) {
      Copy<T> copy = running.get(ticket);
      if (!which.test(copy)) {
        continue;
      }
      running.remove(ticket);
      Integer flow = flows.remove(ticket);
      ended.accept(copy);
      if (flow != null) {
        long moved = movedBytes(copy, transfers.network().cancel(flow));
        meters.cutShort(nodeOf(copy.source()), nodeOf(copy.target()), moved);
        buffers.giveUp(copy.target(), copy.bytes(), Double.POSITIVE_INFINITY);
      }
    }
  }

  private static long movedBytes(Copy<?> copy, double bytesLeft) {
    return (long) Math.max(0, (double) copy.bytes() - bytesLeft);
  }

  private void addUnderWay(SentBytes sent) {
    running.forEach(
        (ticket, copy) -> {
          if (flows.containsKey(ticket)) {
            double left = transfers.network().bytesLeft(flows.get(ticket));
            sent.add(nodeOf(copy.source()), nodeOf(copy.target()), movedBytes(copy, left));
          }
        });
  }

  /** Names the volumes that copies read from and write to. */
  public void forEachVolumeInUse(IntConsumer volume) {
    for (Copy<T> copy : running.values()) {
      volume.accept(copy.source());
      volume.accept(copy.target());
    }
  }

  private int nodeOf(int volume) {
    return cluster.nodeOfVolume(volume);
  }
}
