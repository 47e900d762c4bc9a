package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.engine.Ticks;
import java.util.function.Consumer;

/**
 * Writes intermediate data to a temporary volume of the task's node: what a map leaves for the
 * reducers, what a reducer merges. What the buffer cache takes costs memory time only.
 *
 * <p>Data of more than {@code sortBytes} is spilled in runs and merged: written and read once more.
 * Source: DerbyhatS 3.1.2.3 (shuffle data on the node's own disk). Own: one merge pass, whatever
 * the number of runs, as with Hadoop's default of 10 (maps) and 100 (reducers) streams a pass.
 */
final class Spiller {
  private final TaskContext context;
  private final AttemptTable attempts;
  private final Consumer<TaskAttempt> whenSpilled;
  private final PathBuffer path = new PathBuffer();
  private final int owner;
  private final int buffered;

  Spiller(TaskContext context, AttemptTable attempts, Consumer<TaskAttempt> whenSpilled) {
    this.context = context;
    this.attempts = attempts;
    this.whenSpilled = whenSpilled;
    this.owner = context.transfers().addOwner(this::transferred);
    this.buffered = context.engine().register(this::bufferedWrite);
  }

  /**
   * Writes {@code bytes}; a node without a temporary volume keeps them in memory.
   *
   * @return the volume, or {@link ClusterView#NONE}
   */
  int spill(TaskAttempt attempt, long bytes) {
    attempt.phase = TaskAttempt.Phase.SPILLING;
    int[] volumes = context.cluster().temporaryVolumes(attempt.node);
    boolean merges = bytes > context.model().sortBytes();
    long written = merges ? 2 * bytes : bytes;
    attempt.bufferedBytes = written;
    path.clear();
    if (volumes.length == 0) {
      attempt.buffered = new int[0];
      waitForMemory(attempt, written);
      return ClusterView.NONE;
    }
    int volume = volumes[attempt.task % volumes.length];
    if (context.buffers().addWrite(path, volume, written)) {
      attempt.buffered = new int[] {volume};
      waitForMemory(attempt, written);
    } else {
      attempt.buffered = new int[0];
      if (merges) {
        context.paths().readDevice(path, volume, (double) bytes, 0.5);
      }
      long ticket = attempts.ticket(attempt);
      attempt.addFlow(
          context
              .transfers()
              .start(owner, path, (double) written, Double.POSITIVE_INFINITY, ticket));
    }
    return volume;
  }

  /** Memory is shared by few and fast: a delay, not a flow. */
  private void waitForMemory(TaskAttempt attempt, long bytes) {
    double seconds = (double) bytes / context.cluster().node(attempt.node).memoryBytesPerSecond();
    long at = context.engine().now() + Ticks.ofSeconds(seconds);
    context.engine().at(at, buffered, attempts.ticket(attempt));
  }

  private void bufferedWrite(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt == null) {
      return;
    }
    for (int volume : attempt.buffered) {
      context.buffers().absorb(volume, attempt.bufferedBytes);
    }
    attempt.buffered = new int[0];
    whenSpilled.accept(attempt);
  }

  private void transferred(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    whenSpilled.accept(attempt);
  }
}
