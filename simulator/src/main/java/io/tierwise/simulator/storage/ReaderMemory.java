package io.tierwise.simulator.storage;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.ReadReport;
import io.tierwise.policies.access.ReadSpeeds;
import io.tierwise.policies.access.SlowReads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader's knowledge of the nodes that it reads from, as in a task's process: which of them
 * refused it and, under a strategy that looks, how fast its reads were.
 */
public final class ReaderMemory {
  private final AvoidedNodes refusing = new AvoidedNodes();

  /** Null under a strategy that does not look how fast reads are. */
  private final SlowReads slowReads;

  /** By node; kept only where somebody looks at what nodes report. */
  private final Map<Integer, Heartbeats.Kept> connections = new LinkedHashMap<>();

  private SlowReads.Source source;
  private int sourceVolume;
  private long chosenTick;

  /** The replica in use is to be asked last. */
  private boolean leaves;

  public ReaderMemory(AccessStrategy strategy) {
    slowReads = strategy.slowReads(ReadSpeeds::new).orElse(null);
  }

  AvoidedNodes refusing() {
    return refusing;
  }

  /** Whether its host should look at its reads. */
  public boolean looks() {
    return slowReads != null;
  }

  void keeps(int node, Heartbeats heartbeats, long nowMillis) {
    if (looks()) {
      connections.put(node, heartbeats.keep(node, nowMillis));
    }
  }

  void reuses(int node, Heartbeats heartbeats, long nowMillis) {
    Heartbeats.Kept connection = connections.remove(node);
    if (connection != null) {
      heartbeats.release(connection, nowMillis);
    }
  }

  void closes(Heartbeats heartbeats, long nowMillis) {
    connections.values().forEach(connection -> heartbeats.release(connection, nowMillis));
    connections.clear();
  }

  /** After how long a read of so many bytes is looked at. */
  public long lookMillis(double bytes) {
    return SlowReads.lookMillis(source, bytes);
  }

  /** Changes an answer: replicas that were seen slow go behind better ones. */
  void avoid(ReadView view, int[] order) {
    if (slowReads == null) {
      return;
    }
    slowReads.avoid(view, order);
    if (leaves) {
      int last = view.replicaCount() - 1;
      for (int i = 0; i < last; i++) {
        if (isSource(view, order[i])) {
          int left = order[i];
          System.arraycopy(order, i + 1, order, i, last - i);
          order[last] = left;
          break;
        }
      }
      leaves = false;
    }
  }

  private boolean isSource(ReadView view, int replica) {
    return view.pathKey(replica, 0) == source.device();
  }

  /** The replica that serves the read is asked at that time. */
  public void began(long tick) {
    chosenTick = tick;
  }

  public long ticksSinceBegun(long nowTick) {
    return nowTick - chosenTick;
  }

  void chose(ReadView view, int replica, int volume) {
    source = slowReads == null ? null : slowReads.source(view, replica);
    sourceVolume = volume;
  }

  /** What the reader tells with the question that it asks now; the devices are volumes. */
  List<ReadReport> takeReports(long nowMillis) {
    return slowReads == null ? List.of() : slowReads.speeds().reports().take(nowMillis);
  }

  /** The read from the replica in use is over. */
  public void saw(double bytes, double seconds, long nowMillis) {
    if (slowReads != null) {
      SlowReads.Progress read = new SlowReads.Progress(source, bytes, seconds);
      slowReads.saw(read, nowMillis);
      slowReads.tell(sourceVolume, read, nowMillis);
    }
  }

  /** Whether the read should go on elsewhere; then the next answer has its replica last. */
  boolean leaves(ReadView view, double bytes, double seconds, double bytesLeft) {
    for (int replica = 0; replica < view.replicaCount(); replica++) {
      if (isSource(view, replica)) {
        SlowReads.Progress read = new SlowReads.Progress(source, bytes, seconds);
        leaves = slowReads.leaves(view, replica, read, bytesLeft);
        if (leaves) {
          slowReads.tell(sourceVolume, read, view.nowMillis());
        }
        return leaves;
      }
    }
    return false;
  }
}
