package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.engine.Ticks;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Writes intermediate data to a temporary volume of the task's node, and merges it there: what a
 * map leaves for the reducers, what a reducer cannot hold in memory.
 *
 * <p>A map whose output fills the sort buffer writes it in runs and merges them to one file. A
 * reducer writes what it fetched in runs, merges until a last merge can take the rest, and reads
 * that one while it reduces. Runs go through the page cache like all else: what no longer is in it
 * is read from the device, with a seek for each segment; a run that is deleted before its device
 * has it is never written. Source: DerbyhatS 3.1.2.3 (shuffle data on the node's own disk), {@link
 * MergePlan}. Own: a run is read in one sweep once its first byte is found, so that seeks are the
 * fewest that there can be; a map spills when it has read its input, and not meanwhile.
 */
final class Spiller {
  /** Source: mapreduce.map.sort.spill.percent, 0.80 by default. */
  private static final double SPILL_SHARE = 0.8;

  /** Own: many runs are written in so many steps at most, each of which is an event. */
  private static final int STEPS_MAX = 32;

  private final TaskContext context;
  private final AttemptTable attempts;
  private final Consumer<TaskAttempt> whenSpilled;
  private final PathBuffer path = new PathBuffer();
  private final RoomWait room;
  private final int owner;
  private final int inMemory;

  Spiller(TaskContext context, AttemptTable attempts, Consumer<TaskAttempt> whenSpilled) {
    this.context = context;
    this.attempts = attempts;
    this.whenSpilled = whenSpilled;
    this.room = new RoomWait(context, attempts, this::transfer);
    this.owner = context.transfers().addOwner(this::transferred);
    this.inMemory = context.engine().register(this::inMemory);
  }

  /** Writes a map's output of {@code bytes}, to one file in the end. */
  void spillMap(TaskAttempt attempt, long bytes) {
    long runBytes = Math.max(1, (long) (SPILL_SHARE * (double) context.model().sortBytes()));
    spill(attempt, bytes, runBytes, true);
  }

  /** Writes a reducer's input of {@code bytes}, and merges until one merge can take the rest. */
  void spillReduce(TaskAttempt attempt, long bytes) {
    spill(attempt, bytes, context.model().sortBytes(), false);
  }

  private void spill(TaskAttempt attempt, long bytes, long runBytes, boolean writesLastMerge) {
    attempt.phase = TaskAttempt.Phase.SPILLING;
    int runs = (int) Math.max(1, (bytes + runBytes - 1) / runBytes);
    MergePlan plan = MergePlan.of(runs, context.model().sortFactor());
    boolean mergesAll = writesLastMerge && runs > 1;
    double merged = (double) plan.mergedRuns() / runs + (mergesAll ? 1 : 0);
    double segments = (double) plan.mergedSegments() + (mergesAll ? plan.lastSegments() : 0);
    long mergeBytes = Math.round(merged * (double) bytes);
    double bytesPerSeek = segments == 0 ? 0 : (double) mergeBytes / segments;
    double lastBytesPerSeek = (double) bytes / plan.lastSegments();
    long keptBytes = writesLastMerge ? bytes : 0;
    long pieceBytes = Math.max(runBytes, (bytes + STEPS_MAX - 1) / STEPS_MAX);
    attempt.runs =
        new Runs(
            volumeFor(attempt),
            bytes,
            mergeBytes,
            keptBytes,
            pieceBytes,
            bytesPerSeek,
            lastBytesPerSeek);
    if (attempt.runs.volume != ClusterView.NONE) {
      attempt.runs.firstMark = context.buffers().mark(attempt.runs.volume);
    }
    next(attempt);
  }

  /**
   * A volume of the tier that the scheduling policy named, if the node has one; else any in turn.
   *
   * @return {@link ClusterView#NONE} on a node without a temporary volume
   */
  private int volumeFor(TaskAttempt attempt) {
    int[] volumes = context.cluster().temporaryVolumes(attempt.node);
    if (volumes.length == 0) {
      return ClusterView.NONE;
    }
    if (attempt.temporaryTier != TierTable.NONE) {
      String wanted =
          context.cluster().view().tiers().tier(attempt.temporaryTier).deviceClass().name();
      int[] ofTier =
          Arrays.stream(volumes)
              .filter(volume -> context.cluster().volume(volume).device().name().equals(wanted))
              .toArray();
      if (ofTier.length > 0) {
        return ofTier[attempt.task % ofTier.length];
      }
    }
    return volumes[attempt.task % volumes.length];
  }

  private void next(TaskAttempt attempt) {
    Runs runs = attempt.runs;
    attempt.targetBytes = runs.next();
    if (attempt.targetBytes == 0) {
      whenSpilled.accept(attempt);
    } else if (runs.volume == ClusterView.NONE) {
      attempt.targets = TaskAttempt.NONE;
      waitForMemory(attempt);
    } else {
      attempt.targets = new int[] {runs.volume};
      attempt.writeBytesPerSecondMax = Double.POSITIVE_INFINITY;
      room.start(attempt);
    }
  }

  private void transfer(TaskAttempt attempt) {
    Runs runs = attempt.runs;
    double uncached = runs.merges ? context.uncachedShareOfRuns(attempt) : 0;
    if (uncached == 0 && !context.model().writeThrough()) {
      waitForMemory(attempt);
      return;
    }
    long bytes = attempt.targetBytes;
    path.clear();
    if (uncached > 0) {
      context.paths().readDevice(path, runs.volume, runs.bytesPerSeek, uncached);
    }
    context.buffers().addWrite(path, runs.volume, bytes);
    long ticket = attempts.ticket(attempt);
    attempt.addFlow(
        context.transfers().start(owner, path, (double) bytes, Double.POSITIVE_INFINITY, ticket));
  }

  /** Memory is shared by few and fast: a delay, not a flow. */
  private void waitForMemory(TaskAttempt attempt) {
    double bytes = (double) attempt.targetBytes;
    double seconds = bytes / context.cluster().node(attempt.node).memoryBytesPerSecond();
    long at = context.engine().now() + Ticks.ofSeconds(seconds);
    context.engine().at(at, inMemory, attempts.ticket(attempt));
  }

  private void inMemory(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt != null) {
      done(attempt);
    }
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    done(attempt);
  }

  private void done(TaskAttempt attempt) {
    Runs runs = attempt.runs;
    attempt.targets = TaskAttempt.NONE;
    long mark = 0;
    if (runs.volume != ClusterView.NONE) {
      context.buffers().written(runs.volume, attempt.targetBytes);
      mark = context.buffers().mark(runs.volume);
      if (!runs.merges) {
        context.caches()[attempt.node].add(TaskContext.runsKey(attempt), attempt.targetBytes);
      }
    }
    runs.done(attempt.targetBytes, mark);
    next(attempt);
  }

  /** The attempt is over, done or not: its runs go, but for what reducers fetch of a map's. */
  void delete(TaskAttempt attempt) {
    Runs runs = attempt.runs;
    attempt.runs = null;
    if (runs != null && runs.volume != ClusterView.NONE) {
      context.caches()[attempt.node].remove(TaskContext.runsKey(attempt));
      context.buffers().deleted(runs.volume, runs.firstMark, runs.lastMark, runs.bytesToGo);
    }
  }
}
