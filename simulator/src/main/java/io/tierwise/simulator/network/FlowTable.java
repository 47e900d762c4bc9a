package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * The live flows, and for every lane the order in which its flows end. As all flows of a lane have
 * one rate, a flow ends when the lane's volume, the bytes that one flow would have moved since the
 * lane was made, reaches the flow's target; no later change of the rate changes that order.
 *
 * <p>Each lane's flows form a pairing heap by target, linked through arrays; the lane keeps its
 * head. Ids are used again.
 */
final class FlowTable {
  static final int NONE = -1;

  double[] target = new double[64];
  long[] tag = new long[64];

  /** The flow's lane; {@link #NONE} for an id that is not in use. */
  int[] lane = new int[64];

  /** First child; for an unused id the next unused one. */
  private int[] child = new int[64];

  private int[] sibling = new int[64];

  /** The left sibling, or the parent for a first child. */
  private int[] previous = new int[64];

  private int[] pairs = new int[16];
  private int used;
  private int firstFree = NONE;

  /** Makes a flow that stands alone. */
  int add(int lane, double target, long tag) {
    int flow = firstFree;
    if (flow == NONE) {
      if (used == this.target.length) {
        grow();
      }
      flow = used++;
    } else {
      firstFree = child[flow];
    }
    this.lane[flow] = lane;
    this.target[flow] = target;
    this.tag[flow] = tag;
    child[flow] = NONE;
    sibling[flow] = NONE;
    previous[flow] = NONE;
    return flow;
  }

  /** Marks a flow as ended; its id stays taken until {@link #free}. */
  void end(int flow) {
    lane[flow] = NONE;
  }

  void free(int flow) {
    child[flow] = firstFree;
    firstFree = flow;
  }

  boolean isLive(int flow) {
    return flow >= 0 && flow < used && lane[flow] != NONE;
  }

  /** One past the greatest id ever given. */
  int idLimit() {
    return used;
  }

  /** Joins two heaps, each of which may be empty; returns the common head. */
  int meld(int a, int b) {
    if (a == NONE) {
      return b;
    }
    if (b == NONE) {
      return a;
    }
    // The one that was there first stays in front of an equal one.
    int winner = target[b] < target[a] ? b : a;
    int loser = winner == a ? b : a;
    int first = child[winner];
    sibling[loser] = first;
    if (first != NONE) {
      previous[first] = loser;
    }
    previous[loser] = winner;
    child[winner] = loser;
    sibling[winner] = NONE;
    previous[winner] = NONE;
    return winner;
  }

  /** Takes {@code flow} out of the heap of {@code head}; returns the new head. */
  int remove(int head, int flow) {
    int below = meldPairs(child[flow]);
    child[flow] = NONE;
    if (flow == head) {
      return below;
    }
    int left = previous[flow];
    int right = sibling[flow];
    if (child[left] == flow) {
      child[left] = right;
    } else {
      sibling[left] = right;
    }
    if (right != NONE) {
      previous[right] = left;
    }
    return meld(head, below);
  }

  /** Two-pass melding of a list of siblings. */
  private int meldPairs(int first) {
    int count = 0;
    int flow = first;
    while (flow != NONE) {
      int a = flow;
      int b = sibling[a];
      flow = b == NONE ? NONE : sibling[b];
      cut(a);
      if (b != NONE) {
        cut(b);
      }
      if (count == pairs.length) {
        pairs = Arrays.copyOf(pairs, 2 * count);
      }
      pairs[count++] = meld(a, b);
    }
    int head = NONE;
    while (count > 0) {
      head = meld(pairs[--count], head);
    }
    return head;
  }

  private void cut(int flow) {
    sibling[flow] = NONE;
    previous[flow] = NONE;
  }

  /** Subtracts {@code volume} from the targets of all flows of the heap. */
  void rebase(int head, double volume) {
    int count = 0;
    for (int flow = head; flow != NONE; flow = count == 0 ? NONE : pairs[--count]) {
      for (int member = flow; member != NONE; member = sibling[member]) {
        target[member] -= volume;
        if (child[member] != NONE) {
          if (count == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * count);
          }
          pairs[count++] = child[member];
        }
      }
    }
  }

  private void grow() {
    int capacity = Growth.after(used);
    target = Arrays.copyOf(target, capacity);
    tag = Arrays.copyOf(tag, capacity);
    lane = Arrays.copyOf(lane, capacity);
    child = Arrays.copyOf(child, capacity);
    sibling = Arrays.copyOf(sibling, capacity);
    previous = Arrays.copyOf(previous, capacity);
  }
}
