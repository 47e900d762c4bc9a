package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.work.Job;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSpec;
import java.util.LinkedHashSet;
import java.util.Set;

/** A job that has arrived and is not over. */
final class JobRun {
  final int id;
  final JobSpec spec;
  final long submitTick;
  final int mapCount;
  final int reduceCount;
  final StoredFile input;
  final StoredFile output;

  /** Bytes that its maps read: what it asks for, or all there is. */
  final long inputBytes;

  final int inputBlocks;
  final PendingMaps pendingMaps;

  /** As policies see it, and the queue that it is in; set when it arrives. */
  Job submitted;

  int queue;

  /** That its intermediate data should go to; none for any volume in turn. */
  int temporaryTier = TierTable.NONE;

  /** Maps that any slot may take: waiting for one near their data would bring nothing. */
  final IntStack anywhere = new IntStack();

  /** Reducers without an attempt. */
  final IntStack pendingReduces = new IntStack();

  /** Nodes that hold the output of finished maps, in the order in which they finished; or none. */
  final int[] outputNodes;

  /** Volumes at the same positions that hold it; or none, on nodes that keep it in memory. */
  final int[] outputVolumes;

  /** The map whose output stands at the same position of {@link #outputNodes}. */
  final int[] outputMaps;

  /** In the order in which they began to wait. */
  final Set<TaskAttempt> waitingReduces = new LinkedHashSet<>();

  int mapsDone;

  /** Sum of what the maps that are done took. */
  double finishedMapTicks;

  int reducesDone;
  int runningTasks;
  boolean reducesReleased;
  boolean failed;

  /** When it is looked at for late maps, and since when it may be. */
  long nextLookTick = Ticks.NEVER;

  long noLookBeforeTick;

  /** Since when it waits for a slot near its data. */
  long waitingSinceTick;

  /** Whether an event is under way that ends the waiting. */
  boolean delayIsTimed;

  /** Whether it stands among the jobs that wait for slots of each kind. */
  boolean mapsAreQueued;

  boolean reducesAreQueued;
  boolean isOver;

  JobRun(
      int id,
      JobSpec spec,
      long submitTick,
      int mapCount,
      int reduceCount,
      StoredFile input,
      StoredFile output,
      PendingMaps pendingMaps) {
    this.id = id;
    this.spec = spec;
    this.submitTick = submitTick;
    this.mapCount = mapCount;
    this.reduceCount = reduceCount;
    this.input = input;
    this.output = output;
    this.inputBytes = input == null ? 0 : Math.min(spec.inputBytes(), input.bytes());
    this.inputBlocks = input == null ? 0 : input.blockIndexAt(inputBytes - 1) + 1;
    this.pendingMaps = pendingMaps;
    this.outputNodes = new int[reduceCount > 0 ? mapCount : 0];
    this.outputVolumes = new int[outputNodes.length];
    this.outputMaps = new int[outputNodes.length];
    for (int reduce = reduceCount - 1; reduce >= 0; reduce--) {
      pendingReduces.push(reduce);
    }
  }

  boolean hasWaitingMaps() {
    return pendingMaps.count() > 0 || !anywhere.isEmpty();
  }

  boolean mapsAreDone() {
    return mapsDone == mapCount;
  }

  boolean isDone() {
    return mapsAreDone() && reducesDone == reduceCount;
  }

  /**
   * First byte of the input that a map reads: of a block, when there are no more maps than blocks,
   * so that its data lies where its first block does; else maps read equal parts.
   */
  long inputStart(int map) {
    if (mapCount > inputBlocks) {
      return share(inputBytes, map, mapCount);
    }
    int block = (int) ((long) inputBlocks * map / mapCount);
    return map == mapCount ? inputBytes : input.blockStart(block);
  }

  /** The namespace's block that a map reads first. */
  int inputBlock(int map) {
    return input.block(input.blockIndexAt(inputStart(map)));
  }

  /** Bytes of the input that a map reads. */
  long inputBytes(int map) {
    return input == null ? 0 : inputStart(map + 1) - inputStart(map);
  }

  /** Bytes that a map leaves for the reducers. */
  long mapOutputBytes(int map) {
    return share(spec.mapOutputBytes(), map + 1, mapCount)
        - share(spec.mapOutputBytes(), map, mapCount);
  }

  /** Bytes that a reducer fetches of the output of {@code maps} maps. */
  long reduceInputBytes(int maps) {
    return (long) ((double) spec.mapOutputBytes() / reduceCount * maps / mapCount);
  }

  private static long share(long bytes, int index, int count) {
    return (long) ((double) bytes / count * index);
  }
}
