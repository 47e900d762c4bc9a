package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.engine.Ticks;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Writes intermediate data to a temporary volume of the task's node: what a map leaves for the
 * reducers, what a reducer merges.
 *
 * <p>Data of more than {@code sortBytes} is spilled in runs and merged: written twice; the runs are
 * read from the page cache, and those of a map are deleted as soon as they are merged. Source:
 * DerbyhatS 3.1.2.3 (shuffle data on the node's own disk). Own: one merge pass, whatever the number
 * of runs. Deviation: Hadoop's reducers, which merge ten runs at a time, write 1.4 times what they
 * merge with 15 runs, 1.95 times with 70 and 2.6 times with 190; the sorts of 10, 48 and 256 GB
 * that HDFS_H measured have these numbers and scale as with 2.
 */
final class Spiller {
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
    this.room = new RoomWait(context, attempts, this::write);
    this.owner = context.transfers().addOwner(this::transferred);
    this.inMemory = context.engine().register(this::inMemory);
  }

  /**
   * Writes {@code bytes}; a node without a temporary volume keeps them in memory.
   *
   * @return the volume, or {@link ClusterView#NONE}
   */
  int spill(TaskAttempt attempt, long bytes) {
    attempt.phase = TaskAttempt.Phase.SPILLING;
    int[] volumes = context.cluster().temporaryVolumes(attempt.node);
    attempt.targetBytes = bytes > context.model().sortBytes() ? 2 * bytes : bytes;
    if (volumes.length == 0) {
      attempt.targets = TaskAttempt.NONE;
      waitForMemory(attempt);
      return ClusterView.NONE;
    }
    int volume = volumeFor(attempt, volumes);
    attempt.targets = new int[] {volume};
    attempt.writeBytesPerSecondMax = Double.POSITIVE_INFINITY;
    room.start(attempt);
    return volume;
  }

  /**
   * A volume of the tier that the scheduling policy named, if the node has one; else any in turn.
   */
  private int volumeFor(TaskAttempt attempt, int[] volumes) {
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

  private void write(TaskAttempt attempt) {
    if (context.model().writeThrough()) {
      long bytes = attempt.targetBytes;
      context.buffers().addWrite(path.clear(), attempt.targets[0], bytes);
      attempt.addFlow(
          context
              .transfers()
              .start(
                  owner, path, (double) bytes, Double.POSITIVE_INFINITY, attempts.ticket(attempt)));
    } else {
      waitForMemory(attempt);
    }
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

  private void done(TaskAttempt attempt) {
    int[] targets = attempt.targets;
    attempt.targets = TaskAttempt.NONE;
    long keptBytes =
        attempt.reduce ? attempt.targetBytes : attempt.job.mapOutputBytes(attempt.task);
    for (int volume : targets) {
      context.buffers().written(volume, keptBytes);
      if (attempt.targetBytes > keptBytes) {
        context.buffers().writtenAndDeleted(volume, attempt.targetBytes - keptBytes);
      }
    }
    whenSpilled.accept(attempt);
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    done(attempt);
  }
}
