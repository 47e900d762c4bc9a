package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.DoubleAdder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.ipc.ExternalCall;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.util.Time;

/**
 * Counts the blocks that one call is told, for the thread that handles it: the first as a read, the
 * next ones as a part of one, since they are read later and perhaps never.
 *
 * <p>The NameNode sorts the blocks that were asked for, and behind them, in every call, the file's
 * last block, which nobody asked for. So a later block is counted when the next one is sorted, and
 * the last one is never. Blocks outside of a client's call are not counted: the NameNode asks
 * itself on behalf of web clients, whose reads then come from a DataNode.
 */
final class CallAnswers {
  /**
   * Own: of the shares 0, 0.1, 0.25, 0.5 and 1 the smallest that is ahead of every other strategy
   * in all nine cases of docs/decisions/0090-reads-by-expected-completion.md.
   */
  static final double LATER_SHARE = 0.25;

  /** HDFS's client asks for ten when it opens a file; who asks for more asks for a list. */
  static final int COUNTED_MAX = 10;

  private final ReplicaTiers tiers;
  private final DoubleAdder reads;

  /**
   * When the call came that this thread handles, which tells it from the one before; it is not kept
   * itself, since its answer hangs on it.
   */
  private long callNanos;

  private boolean counts;
  private long nowMillis;
  private long queuedMillis;
  private final List<Answer> counted = new ArrayList<>(COUNTED_MAX);
  private Answer held;

  /** The second block lies where the first one does, and was told the same. */
  private boolean repeated;

  /** Answers of earlier calls: a thread makes their arrays once, not for each block. */
  private final List<Answer> idle = new ArrayList<>(COUNTED_MAX);

  /** The answer to a reader about one block. */
  static final class Answer {
    private final ReplicaSorter sorter;
    private AccessRequest request;
    private double share;

    private Answer(ReplicaSorter sorter) {
      this.sorter = sorter;
    }

    ReplicaSorter sorter() {
      return sorter;
    }
  }

  /**
   * @param reads how many reads are counted, by all threads
   */
  CallAnswers(ReplicaTiers tiers, DoubleAdder reads) {
    this.tiers = tiers;
    this.reads = reads;
  }

  /**
   * Before a block is put into order.
   *
   * @return whether it is the first one of a client's call
   */
  boolean begin() {
    Server.Call current = Server.getCurCall().get();
    boolean fromClient = current != null && !(current instanceof ExternalCall);
    if (!fromClient || !isHandled(current)) {
      clear();
      callNanos = fromClient ? current.getTimestampNanos() : 0;
      counts = fromClient;
      // Not when it came: some calls wait for seconds in a queue, and others overtake them.
      nowMillis = Time.monotonicNow();
      queuedMillis =
          fromClient ? Math.max(0, nowMillis - TimeUnit.NANOSECONDS.toMillis(callNanos)) : 0;
      return fromClient;
    }
    return false;
  }

  private boolean isHandled(Server.Call current) {
    return counts && callNanos == current.getTimestampNanos();
  }

  /**
   * Tells the second block of a call the order of the first, if it lies on the same storages:
   * mostly it is the file's only block once more. A second decision would not be counted.
   *
   * @return whether the replicas are in order
   */
  boolean repeat(DatanodeInfoWithStorage[] replicas, int active) {
    if (repeated || held != null || counted.size() != 1) {
      return false;
    }
    repeated = counted.get(0).sorter.repeat(replicas, active);
    return repeated;
  }

  /** For the next block; to be handed back to {@link #sorted} when it is in order. */
  Answer next() {
    return idle.isEmpty() ? new Answer(new ReplicaSorter(tiers)) : idle.remove(idle.size() - 1);
  }

  /** The block was put into order; counts what is known to be read by now. */
  void sorted(AccessPick pick, AccessRequest request, Answer answer) {
    answer.request = request;
    if (!counts) {
      idle.add(answer);
    } else if (counted.isEmpty()) {
      answer.share = 1;
      count(pick, answer);
    } else {
      if (held == null && repeated) {
        countAgain(pick, counted.get(0));
      }
      count(pick, held);
      answer.share = LATER_SHARE;
      held = answer;
    }
  }

  private void countAgain(AccessPick pick, Answer first) {
    first.sorter.answered(pick, first.request, LATER_SHARE);
    first.share += LATER_SHARE;
    reads.add(LATER_SHARE);
  }

  /** When this thread began to put the call's blocks into order. */
  long nowMillis() {
    return nowMillis;
  }

  /** How long the call had been there by then. */
  long queuedMillis() {
    return queuedMillis;
  }

  private void count(AccessPick pick, Answer answer) {
    if (answer == null) {
      return;
    }
    if (counted.size() + (repeated ? 1 : 0) >= COUNTED_MAX) {
      idle.add(answer);
      return;
    }
    counted.add(answer);
    answer.sorter.answered(pick, answer.request, answer.share);
    reads.add(answer.share);
  }

  /** The call that this thread handles reads nothing. */
  void takeBack(AccessPick pick) {
    Server.Call current = Server.getCurCall().get();
    try {
      if (current != null && isHandled(current)) {
        for (Answer answer : counted) {
          answer.sorter.takenBack(pick);
          reads.add(-answer.share);
        }
      }
    } finally {
      clear();
    }
  }

  private void clear() {
    counts = false;
    // Not all at once, which would copy them once more.
    for (int at = counted.size() - 1; at >= 0; at--) {
      idle.add(counted.remove(at));
    }
    if (held != null) {
      idle.add(held);
      held = null;
    }
    repeated = false;
  }
}
