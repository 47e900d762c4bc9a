package io.tierwise.simulator.storage;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.ReadSpeeds;
import io.tierwise.policies.access.SlowReads;

/**
 * What one reader knows of the nodes it reads from, as a task's process does: which refused it, and
 * under a strategy that looks, how fast its reads were.
 */
public final class ReaderMemory {
  private final AvoidedNodes refusing = new AvoidedNodes();

  /** Null under a strategy that does not look how fast reads are. */
  private final SlowReads slowReads;

  private SlowReads.Source source;
  private long chosenTick;

  /** The replica in use is to be asked last. */
  private boolean leaves;

  public ReaderMemory(AccessStrategy strategy) {
    slowReads = SlowReads.of(strategy, ReadSpeeds::new).orElse(null);
  }

  AvoidedNodes refusing() {
    return refusing;
  }

  /** Whether its host should look at it every {@link SlowReads#LOOK_MILLIS}. */
  public boolean looks() {
    return slowReads != null;
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

  void chose(ReadView view, int replica) {
    source = slowReads == null ? null : slowReads.source(view, replica);
  }

  /** What has come from the replica in use since it was chosen. */
  public void saw(double bytes, double seconds, long nowMillis) {
    if (slowReads != null) {
      slowReads.saw(source, bytes, seconds, nowMillis);
    }
  }

  /** Whether the read should go on elsewhere; then the next answer has its replica last. */
  boolean leaves(ReadView view, double bytes, double seconds, double bytesLeft) {
    for (int replica = 0; replica < view.replicaCount(); replica++) {
      if (isSource(view, replica)) {
        leaves = slowReads.leaves(view, replica, bytes, seconds, bytesLeft);
        return leaves;
      }
    }
    return false;
  }
}
