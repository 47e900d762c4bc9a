package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import java.util.function.Consumer;

/**
 * What tasks spill while they read or fetch: bytes that are written in the transfer that brings the
 * input, as many for each byte of it as all runs but the last one need.
 *
 * <p>Source: Hadoop's {@code MapTask.MapOutputBuffer}, whose thread spills when
 * mapreduce.map.sort.spill.percent of the buffer is full, while the map goes on and waits when the
 * rest is full, too; {@code MergeManagerImpl}, which merges what is in memory while fetchers bring
 * more. Own: writing begins with the input and not with the first run that is full. Where reading
 * is the limit both take the same time; where writing is, the time to read one run is not counted.
 */
final class MeanwhileSpills {
  private final TaskContext context;
  private final Consumer<TaskAttempt> whenReserved;
  private final RoomWait room;

  /**
   * @param whenReserved brings the input: there is room for what is spilled beside it
   */
  MeanwhileSpills(TaskContext context, AttemptTable attempts, Consumer<TaskAttempt> whenReserved) {
    this.context = context;
    this.whenReserved = whenReserved;
    this.room = new RoomWait(context, attempts, whenReserved);
  }

  /** Takes room for what is spilled while some input comes, and goes on when there is some. */
  void reserve(TaskAttempt attempt, double inputBytes, double bytesPerSecondMax) {
    Runs runs = attempt.runs;
    long bytes =
        runs == null || runs.volume == ClusterView.NONE ? 0 : runs.meanwhileBytes(inputBytes);
    if (bytes == 0) {
      whenReserved.accept(attempt);
      return;
    }
    attempt.targets = new int[] {runs.volume};
    attempt.targetBytes = bytes;
    attempt.writeBytesPerSecondMax = bytesPerSecondMax * (double) bytes / inputBytes;
    room.start(attempt);
  }

  /** Adds to a transfer of some of the input what is spilled beside it. */
  void addWrite(PathBuffer path, TaskAttempt attempt, double inputBytes) {
    if (attempt.targets.length > 0) {
      Runs runs = attempt.runs;
      double share = (double) attempt.targetBytes / inputBytes;
      context.buffers().addWrite(path, runs.volume, runs.pieceBytes, share);
    }
  }

  /** The input has come. */
  void written(TaskAttempt attempt) {
    if (attempt.targets.length == 0) {
      return;
    }
    attempt.targets = TaskAttempt.NONE;
    long file = TaskContext.runsKey(attempt);
    context
        .buffers()
        .writtenOf(file, attempt.runs.volume, attempt.targetBytes, attempt.writeBytesPerSecondMax);
    context.caches()[attempt.node].append(file, attempt.targetBytes);
    attempt.runs.doneMeanwhile(attempt.targetBytes);
  }

  /** The input does not come from there: what would have been spilled is spilled later. */
  void giveUp(TaskAttempt attempt) {
    if (attempt.targets.length > 0 && !attempt.waitsForRoom) {
      context
          .buffers()
          .giveUp(attempt.runs.volume, attempt.targetBytes, attempt.writeBytesPerSecondMax);
    }
    attempt.targets = TaskAttempt.NONE;
    attempt.waitsForRoom = false;
  }
}
