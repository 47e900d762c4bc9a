package io.tierwise.hadoop.hdfs.topology;

import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessRequest;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import org.apache.hadoop.ipc.ExternalCall;
import org.apache.hadoop.ipc.Server;

/**
 * Counts the blocks that one call is told, for the thread that handles it: the first as a read, the
 * next ones as a part of one, since they are read later and perhaps never.
 *
 * <p>The NameNode sorts the blocks that were asked for, and behind them, in every call, the file's
 * last block, which nobody asked for. So a later block is counted when the next one is sorted, and
 * the last one is never. What does not come from a client's call is not counted: the NameNode asks
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

  private final DoubleAdder reads;
  private WeakReference<Server.Call> call = new WeakReference<>(null);
  private final List<Answer> counted = new ArrayList<>(COUNTED_MAX);
  private Answer held;

  private record Answer(ReplicaSorter sorted, AccessRequest request, double share) {}

  /**
   * @param reads how many reads are counted, by all threads
   */
  CallAnswers(DoubleAdder reads) {
    this.reads = reads;
  }

  /** The block was put into order; counts what is known to be read by now. */
  void sorted(AccessPick pick, AccessRequest request, ReplicaSorter sorter) {
    Server.Call current = Server.getCurCall().get();
    if (current == null || current instanceof ExternalCall) {
      clear();
      return;
    }
    if (call.refersTo(current)) {
      count(pick, held);
      held = new Answer(sorter, request, LATER_SHARE);
    } else {
      clear();
      call = new WeakReference<>(current);
      count(pick, new Answer(sorter, request, 1));
    }
  }

  private void count(AccessPick pick, Answer answer) {
    if (answer != null && counted.size() < COUNTED_MAX) {
      counted.add(answer);
      answer.sorted.answered(pick, answer.request, answer.share);
      reads.add(answer.share);
    }
  }

  /** The call that this thread handles reads nothing. */
  void takeBack(AccessPick pick) {
    Server.Call current = Server.getCurCall().get();
    if (current != null && call.refersTo(current)) {
      for (Answer answer : counted) {
        answer.sorted.answered(pick, answer.request, -answer.share);
        reads.add(-answer.share);
      }
    }
    clear();
  }

  private void clear() {
    call.clear();
    counted.clear();
    held = null;
  }
}
