package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.storage.AvoidedNodes;
import java.util.Arrays;

/** One attempt of a task on a node: what it is doing and what it has started. */
final class TaskAttempt {
  static final int NO_FLOW = -1;

  /** What an attempt is doing. */
  enum Phase {
    STARTING,
    READING,
    SPILLING,
    FETCHING,
    WAITING_FOR_MAPS,
    WRITING
  }

  final JobRun job;
  final int task;
  final boolean reduce;
  final int node;
  final long startTick;

  /** Position in the attempt table; part of what its flows and timers carry. */
  final int id;

  Phase phase = Phase.STARTING;

  /** Flows that run for it; slots may be {@link #NO_FLOW}. */
  int[] flows = {NO_FLOW};

  int flowCount;

  /** The volume that serves its read, and the bytes of that read. */
  int readVolume = ClusterView.NONE;

  long readBytes;
  boolean readIsCached;
  long readStartTick;
  int refusals;
  AccessPick pick;
  AvoidedNodes avoidedNodes = new AvoidedNodes();

  /** How many times longer it computes than others; 1 unless it is a straggler. */
  double slowness = 1;

  /** Bytes of its input that are read. */
  long inputDoneBytes;

  /** Block of its output that is being written, from 0. */
  int outputBlock;

  long outputStartTick;

  /** Volumes that a write is for, each with room for it when it has begun; its bytes. */
  int[] targets = new int[0];

  long targetBytes;

  /** How fast it can write at most, which decides how much room a write takes. */
  double writeBytesPerSecondMax;

  /** Whether a write is to begin when there is room. */
  boolean waitsForRoom;

  /** Another attempt of the same task, or null. */
  TaskAttempt twin;

  /** The volume that holds its merged input, when that must be read back; else none. */
  int mergeVolume = ClusterView.NONE;

  /** Maps, in the order in which they finished, whose output it has fetched or is fetching. */
  int fetchedMaps;

  TaskAttempt(JobRun job, int task, boolean reduce, int node, int id, long startTick) {
    this.job = job;
    this.task = task;
    this.reduce = reduce;
    this.node = node;
    this.id = id;
    this.startTick = startTick;
  }

  /** Nodes at the other end: of a block that is being written, or of what is being fetched. */
  int[] peers = new int[0];

  boolean hasPeer(int other) {
    for (int peer : peers) {
      if (peer == other) {
        return true;
      }
    }
    return false;
  }

  void addFlow(int flow) {
    for (int i = 0; i < flows.length; i++) {
      if (flows[i] == NO_FLOW) {
        flows[i] = flow;
        flowCount++;
        return;
      }
    }
    int length = flows.length;
    flows = Arrays.copyOf(flows, 2 * length);
    Arrays.fill(flows, length, flows.length, NO_FLOW);
    flows[length] = flow;
    flowCount++;
  }

  void cancelFlows(FlowNetwork network) {
    for (int i = 0; i < flows.length; i++) {
      if (flows[i] != NO_FLOW) {
        network.cancel(flows[i]);
        flows[i] = NO_FLOW;
      }
    }
    flowCount = 0;
  }

  void removeFlow(int flow) {
    for (int i = 0; i < flows.length; i++) {
      if (flows[i] == flow) {
        flows[i] = NO_FLOW;
        flowCount--;
        return;
      }
    }
    throw new IllegalStateException("flow " + flow + " is not of attempt " + id);
  }
}
