package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.storage.ReaderMemory;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * One attempt of a task on a node: what it is doing and what it has started. There is one for every
 * slot that is taken, so that what few of them need takes no room in the others.
 */
final class TaskAttempt {
  /** Stands for no volumes, or no nodes. */
  static final int[] NONE = {};

  private static final int NO_FLOW = -1;

  /** The phase of an attempt. */
  enum Phase {
    STARTING,
    READING,
    SPILLING,
    FETCHING,
    WAITING_FOR_PARENTS,
    COMPUTING,
    WRITING
  }

  final StageRun stage;
  final int task;
  final int node;
  final long startTick;

  /** Position in the attempt table; part of what its flows and timers carry. */
  final int id;

  private Phase phase = Phase.STARTING;

  /** When it began to read its input, or later, to write its output. */
  long stageStartTick;

  /** A flow that runs for it, and where there are several, the others, or {@link #NO_FLOW}. */
  private int flow = NO_FLOW;

  private int[] otherFlows = NONE;
  int flowCount;

  /** The volume that serves its read, and the bytes of that read. */
  int readVolume = ClusterView.NONE;

  long readBytes;
  boolean readIsCached;
  int refusals;
  AccessPick pick;

  /** How often it has waited for a replica of its block that is not down. */
  byte sourceWaits;

  /** Tier that its intermediate data should go to, or {@link TierTable#NONE}. */
  byte temporaryTier = TierTable.NONE;

  /** Its memory of the nodes that it reads from; only while it reads. */
  ReaderMemory memory;

  /** Its computing time as a multiple of others'; 1 unless it is a straggler. */
  double slowness = 1;

  /** Bytes of its input that are read. */
  long inputDoneBytes;

  /** Block of its output that is being written, from 0. */
  int outputBlock;

  /** Volumes that a write is for, each with room for it when it has begun; its bytes. */
  int[] targets = NONE;

  long targetBytes;

  /** How fast it can write at most, which decides how much room a write takes. */
  double writeBytesPerSecondMax;

  /** Whether a write is to begin when there is room. */
  boolean waitsForRoom;

  /** Whether a pipeline of its output lost a volume on the way. */
  boolean writesShort;

  /** Another attempt of the same task, or null. */
  TaskAttempt twin;

  /** What it computes without a transfer beside it, or null. */
  Computation.Step computing;

  /** What it has spilled, or null. */
  Runs runs;

  /**
   * Tasks of its parent stage, in the order in which they finished, whose output it has fetched or
   * is fetching. One that takes the output of several stages begins when all of it is there: none,
   * or all.
   */
  int fetched;

  TaskAttempt(StageRun stage, int task, int node, int id, long startTick) {
    this.stage = stage;
    this.task = task;
    this.node = node;
    this.id = id;
    this.startTick = startTick;
  }

  Phase phase() {
    return phase;
  }

  /** For {@link AttemptTable#enter} alone, which counts. */
  void setPhase(Phase next) {
    phase = next;
  }

  JobRun job() {
    return stage.job;
  }

  /** The slots that it has one of. */
  SlotKind slots() {
    return stage.slots;
  }

  /** Segments of a parent's output that it has fetched or is fetching. */
  int fetched(int edge) {
    if (stage.parents.size() == 1) {
      return fetched;
    }
    return fetched == 0 ? 0 : stage.segments(edge);
  }

  /** What it is fetching from: volumes, and {@code ~node} for nodes that keep output in memory. */
  int[] sources = NONE;

  boolean fetchesFrom(IntPredicate isLost) {
    for (int source : sources) {
      if (isLost.test(source)) {
        return true;
      }
    }
    return false;
  }

  void addFlow(int added) {
    flowCount++;
    if (flow == NO_FLOW) {
      flow = added;
      return;
    }
    for (int i = 0; i < otherFlows.length; i++) {
      if (otherFlows[i] == NO_FLOW) {
        otherFlows[i] = added;
        return;
      }
    }
    int length = otherFlows.length;
    otherFlows = Arrays.copyOf(otherFlows, 2 * length + 1);
    Arrays.fill(otherFlows, length, otherFlows.length, NO_FLOW);
    otherFlows[length] = added;
  }

  /** Ends its flows before their time; returns the bytes that they had left. */
  double cancelFlows(FlowNetwork network) {
    double bytesLeft = 0;
    if (flow != NO_FLOW) {
      bytesLeft += network.cancel(flow);
      flow = NO_FLOW;
    }
    for (int other : otherFlows) {
      if (other != NO_FLOW) {
        bytesLeft += network.cancel(other);
      }
    }
    otherFlows = NONE;
    flowCount = 0;
    return bytesLeft;
  }

  /** Names the flows that run for it. */
  void forEachFlow(IntConsumer consumer) {
    if (flow != NO_FLOW) {
      consumer.accept(flow);
    }
    for (int other : otherFlows) {
      if (other != NO_FLOW) {
        consumer.accept(other);
      }
    }
  }

  /** The flow of one that reads or writes, which has no other. */
  int onlyFlow() {
    return flow;
  }

  void removeFlow(int removed) {
    flowCount--;
    if (flow == removed) {
      flow = NO_FLOW;
      return;
    }
    for (int i = 0; i < otherFlows.length; i++) {
      if (otherFlows[i] == removed) {
        otherFlows[i] = NO_FLOW;
        return;
      }
    }
    throw new IllegalStateException("flow " + removed + " is not of attempt " + id);
  }
}
