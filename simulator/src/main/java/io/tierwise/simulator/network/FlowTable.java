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

  /** Four words a flow, side by side: its target, its tag, and two pairs of numbers. */
  private static final int WORDS = 4;

  // A double, by its bits.
  private static final int TARGET = 0;
  private static final int TAG = 1;

  /** The lane in the upper half, {@link #NONE} for an id that is not in use; the child below. */
  private static final int LANE_AND_CHILD = 2;

  private static final int SIBLING_AND_PREVIOUS = 3;
  private static final long LOWER_MASK = 0xFFFFFFFFL;

  private long[] words = new long[64 * WORDS];
  private int[] pairs = new int[16];
  private int used;
  private int firstFree = NONE;

  /** Makes a flow that stands alone. */
  int add(int lane, double target, long tag) {
    int flow = firstFree;
    if (flow == NONE) {
      if (used * WORDS == words.length) {
        words = Arrays.copyOf(words, Growth.after(used) * WORDS);
      }
      flow = used++;
    } else {
      firstFree = child(flow);
    }
    int at = flow * WORDS;
    words[at + TARGET] = Double.doubleToRawLongBits(target);
    words[at + TAG] = tag;
    words[at + LANE_AND_CHILD] = pair(lane, NONE);
    words[at + SIBLING_AND_PREVIOUS] = pair(NONE, NONE);
    return flow;
  }

  /** The volume of its lane at which the flow ends. */
  double target(int flow) {
    return Double.longBitsToDouble(words[flow * WORDS + TARGET]);
  }

  long tag(int flow) {
    return words[flow * WORDS + TAG];
  }

  /** The flow's lane; {@link #NONE} for an id that is not in use. */
  int lane(int flow) {
    return upper(words[flow * WORDS + LANE_AND_CHILD]);
  }

  /** Marks a flow as ended; its id stays taken until {@link #free}. */
  void end(int flow) {
    words[flow * WORDS + LANE_AND_CHILD] = pair(NONE, child(flow));
  }

  void free(int flow) {
    setChild(flow, firstFree);
    firstFree = flow;
  }

  boolean isLive(int flow) {
    return flow >= 0 && flow < used && lane(flow) != NONE;
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
    int winner = target(b) < target(a) ? b : a;
    int loser = winner == a ? b : a;
    int first = child(winner);
    if (first != NONE) {
      setPrevious(first, loser);
    }
    setNeighbours(loser, first, winner);
    setChild(winner, loser);
    setNeighbours(winner, NONE, NONE);
    return winner;
  }

  /** Takes {@code flow} out of the heap of {@code head}; returns the new head. */
  int remove(int head, int flow) {
    int below = meldPairs(child(flow));
    setChild(flow, NONE);
    if (flow == head) {
      return below;
    }
    int left = previous(flow);
    int right = sibling(flow);
    if (child(left) == flow) {
      setChild(left, right);
    } else {
      setNeighbours(left, right, previous(left));
    }
    if (right != NONE) {
      setPrevious(right, left);
    }
    return meld(head, below);
  }

  /** Two-pass melding of a list of siblings. */
  private int meldPairs(int first) {
    int count = 0;
    int flow = first;
    while (flow != NONE) {
      int a = flow;
      int b = sibling(a);
      flow = b == NONE ? NONE : sibling(b);
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
    setNeighbours(flow, NONE, NONE);
  }

  /** Subtracts {@code volume} from the targets of all flows of the heap. */
  void rebase(int head, double volume) {
    int count = 0;
    for (int flow = head; flow != NONE; flow = count == 0 ? NONE : pairs[--count]) {
      for (int member = flow; member != NONE; member = sibling(member)) {
        words[member * WORDS + TARGET] = Double.doubleToRawLongBits(target(member) - volume);
        if (child(member) != NONE) {
          if (count == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * count);
          }
          pairs[count++] = child(member);
        }
      }
    }
  }

  /** First child; for an unused id the next unused one. */
  private int child(int flow) {
    return (int) words[flow * WORDS + LANE_AND_CHILD];
  }

  private void setChild(int flow, int child) {
    words[flow * WORDS + LANE_AND_CHILD] = pair(lane(flow), child);
  }

  private int sibling(int flow) {
    return upper(words[flow * WORDS + SIBLING_AND_PREVIOUS]);
  }

  /** The left sibling, or the parent for a first child. */
  private int previous(int flow) {
    return (int) words[flow * WORDS + SIBLING_AND_PREVIOUS];
  }

  private void setPrevious(int flow, int previous) {
    setNeighbours(flow, sibling(flow), previous);
  }

  private void setNeighbours(int flow, int sibling, int previous) {
    words[flow * WORDS + SIBLING_AND_PREVIOUS] = pair(sibling, previous);
  }

  private static long pair(int upper, int lower) {
    return (long) upper << Integer.SIZE | (lower & LOWER_MASK);
  }

  private static int upper(long pair) {
    return (int) (pair >>> Integer.SIZE);
  }
}
