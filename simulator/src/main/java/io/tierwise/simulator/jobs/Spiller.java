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
 * reducer writes what it fetched in {@linkplain ReduceRuns runs}, merges until a last merge can
 * take the rest, and reads that one while it reduces. Runs go through the page cache like all else:
 * what no longer is in it is read from the device, with a seek for each segment; a run that is
 * deleted before its device has it is never written. Source: DerbyhatS 3.1.2.3 (shuffle data on the
 * node's own disk), {@link MergePlan}. Own: a run is read in one sweep once its first byte is
 * found, so that seeks are the fewest that there can be, unless the model says how much of it a
 * merge reads before the disk turns to the next one; a map spills when it has read its input, and a
 * reducer when it has fetched all, but for {@link MeanwhileSpills}.
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

  /** A map begins to read: what it spills meanwhile is known. */
  void beginMap(TaskAttempt attempt) {
    StageRun stage = attempt.stage;
    long inputBytes = stage.inputBytes(attempt.task);
    if (context.spillsMeanwhile(stage.job) && stage.handsOn() && inputBytes > 0) {
      long bytes = stage.leftBytes(attempt.task);
      long last = Math.round((double) bytes / (double) runsOfMap(bytes));
      attempt.runs = runsOf(attempt, bytes);
      attempt.runs.spillMeanwhile(bytes - last, (double) inputBytes);
    }
  }

  /** A reducer begins to fetch: likewise. */
  void beginReduce(TaskAttempt attempt, ReduceRuns spilled, double inputBytes) {
    if (context.spillsMeanwhile(attempt.job()) && spilled.count() > 0) {
      attempt.runs = runsOf(attempt, spilled);
      attempt.runs.spillMeanwhile(spilled.bytesMeanwhile(), inputBytes);
    }
  }

  /** Writes what a task leaves for others, {@code bytes}, to one file in the end. */
  void spillMap(TaskAttempt attempt, long bytes) {
    if (attempt.runs == null) {
      attempt.runs = runsOf(attempt, bytes);
    }
    next(attempt);
  }

  private long runBytesOfMap() {
    return Math.max(1, (long) (SPILL_SHARE * (double) context.model().sortBytes()));
  }

  private long runsOfMap(long bytes) {
    return Math.max(1, (bytes + runBytesOfMap() - 1) / runBytesOfMap());
  }

  private Runs runsOf(TaskAttempt attempt, long bytes) {
    long runs = runsOfMap(bytes);
    MergePlan plan = MergePlan.of(runs, context.model().sortFactor());
    int lastSegments = runs > 1 ? plan.lastSegments() : 0;
    double mergedBytes = (double) plan.mergedRuns() / (double) runs * (double) bytes;
    long mergeBytes = Math.round(mergedBytes) + (runs > 1 ? bytes : 0);
    long segments = plan.mergedSegments() + lastSegments;
    int volume = volumeFor(attempt);
    return new Runs(
        volume,
        bytes,
        1,
        mergeBytes,
        bytes,
        pieceBytes(volume, bytes, runBytesOfMap()),
        bytesPerSeek((double) mergeBytes, segments),
        bytesPerSeek((double) bytes, plan.lastSegments()));
  }

  /** Writes what a reducer cannot keep in memory, and merges until one merge can take the rest. */
  void spillReduce(TaskAttempt attempt, ReduceRuns spilled) {
    if (attempt.runs == null) {
      attempt.runs = runsOf(attempt, spilled);
    }
    next(attempt);
  }

  private Runs runsOf(TaskAttempt attempt, ReduceRuns spilled) {
    long bytes = spilled.bytes();
    MergePlan plan = MergePlan.of(spilled.count(), context.model().sortFactor());
    double merged = (double) plan.mergedRuns() / (double) spilled.count();
    long mergeBytes = Math.round(merged * (double) bytes);
    int volume = volumeFor(attempt);
    Runs runs =
        new Runs(
            volume,
            bytes,
            spilled.shareOfInput(),
            mergeBytes,
            0,
            pieceBytes(volume, bytes, bytes / spilled.count()),
            bytesPerSeek((double) mergeBytes, plan.mergedSegments()),
            bytesPerSeek((double) bytes, plan.lastSegments()));
    runs.isOfInput = true;
    return runs;
  }

  /** The disk turns from one segment to the next, but stays with one that is alone. */
  private double bytesPerSeek(double bytes, long segments) {
    double segmentBytes = bytes / (double) segments;
    double readBytes = (double) context.model().mergeReadBytes();
    return segments > 1 ? Math.min(segmentBytes, readBytes) : segmentBytes;
  }

  /** A run, or what few enough steps need, or what leaves room in the buffer for others. */
  private long pieceBytes(int volume, long bytes, long runBytes) {
    long piece = Math.max(runBytes, (bytes + STEPS_MAX - 1) / STEPS_MAX);
    return volume == ClusterView.NONE
        ? piece
        : Math.min(piece, context.buffers().pieceBytesMax(volume));
  }

  /**
   * A volume of the tier that the scheduling policy named, or of the class that the job names, if
   * the node has one; else any in turn.
   *
   * @return {@link ClusterView#NONE} on a node without a temporary volume that works
   */
  private int volumeFor(TaskAttempt attempt) {
    int[] volumes = context.cluster().temporaryVolumes(attempt.node);
    if (volumes.length == 0) {
      return ClusterView.NONE;
    }
    String wanted = wantedClass(attempt);
    if (!wanted.isEmpty()) {
      int[] ofClass =
          Arrays.stream(volumes)
              .filter(volume -> context.cluster().volume(volume).device().name().equals(wanted))
              .toArray();
      if (ofClass.length > 0) {
        return ofClass[attempt.task % ofClass.length];
      }
    }
    return volumes[attempt.task % volumes.length];
  }

  private String wantedClass(TaskAttempt attempt) {
    return attempt.temporaryTier == TierTable.NONE
        ? attempt.job().spec.temporaryDevice()
        : context.cluster().view().tiers().tier(attempt.temporaryTier).deviceClass().name();
  }

  private void next(TaskAttempt attempt) {
    attempts.enter(attempt, TaskAttempt.Phase.SPILLING);
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
    if (runs.volume != ClusterView.NONE) {
      long file = runs.isKept ? outputOf(attempt) : TaskContext.runsKey(attempt);
      context.buffers().writtenOf(file, runs.volume, attempt.targetBytes);
      if (!runs.merges) {
        context.caches()[attempt.node].append(TaskContext.runsKey(attempt), attempt.targetBytes);
      }
    }
    runs.done(attempt.targetBytes);
    next(attempt);
  }

  private static long outputOf(TaskAttempt attempt) {
    return TaskContext.outputFile(attempt.stage, attempt.task);
  }

  /** The attempt is done: its runs go, what it wrote for reducers stays. */
  void deleteRuns(TaskAttempt attempt) {
    Runs runs = attempt.runs;
    attempt.runs = null;
    if (runs != null && runs.volume != ClusterView.NONE) {
      context.caches()[attempt.node].remove(TaskContext.runsKey(attempt));
      context.buffers().deleted(TaskContext.runsKey(attempt), runs.volume);
    }
  }

  /** The attempt ends, perhaps in the middle of a merge: nothing of it stays. */
  void delete(TaskAttempt attempt) {
    Runs runs = attempt.runs;
    deleteRuns(attempt);
    if (runs != null && runs.keptBytes > 0 && runs.volume != ClusterView.NONE) {
      context.buffers().deleted(outputOf(attempt), runs.volume);
    }
  }
}
