package io.tierwise.simulator.jobs;

import io.tierwise.simulator.cluster.PathBuffer;
import java.util.function.Consumer;

/**
 * Computing without a transfer beside it: a flow of bytes through a core, and, while a reducer that
 * writes nothing reads its runs, through their device.
 */
final class Computation {
  private static final int UNREGISTERED = -1;

  private final TaskContext context;
  private final AttemptTable attempts;
  private final PathBuffer path = new PathBuffer();

  /** Made when it is needed, so that the events of all other runs are as if there were none. */
  private int owner = UNREGISTERED;

  /** What an attempt computes now, and what it does then. */
  record Step(double bytes, double cyclesPerByte, Consumer<TaskAttempt> then) {}

  Computation(TaskContext context, AttemptTable attempts) {
    this.context = context;
    this.attempts = attempts;
  }

  /** Computes on {@code bytes}; goes on at once when they cost nothing. */
  void start(TaskAttempt attempt, double bytes, double cyclesPerByte, Consumer<TaskAttempt> then) {
    if (bytes * cyclesPerByte == 0) {
      then.accept(attempt);
      return;
    }
    begin(attempt, path.clear(), new Step(bytes, cyclesPerByte, then));
  }

  /** As {@link #start}, while a reducer's last merge reads the runs of its input. */
  void readRuns(
      TaskAttempt attempt, double bytes, double cyclesPerByte, Consumer<TaskAttempt> then) {
    context.readRuns(path.clear(), attempt, 1);
    if (path.length() == 0) {
      start(attempt, bytes, cyclesPerByte, then);
    } else {
      begin(attempt, path, new Step(bytes, cyclesPerByte, then));
    }
  }

  private void begin(TaskAttempt attempt, PathBuffer through, Step step) {
    if (owner == UNREGISTERED) {
      owner = context.transfers().addOwner(this::computed);
    }
    attempts.enter(attempt, TaskAttempt.Phase.COMPUTING);
    attempt.computing = step;
    double cyclesPerByte = step.cyclesPerByte();
    context.paths().compute(through, attempt.node, cyclesPerByte);
    double limit = Compute.bytesPerSecond(context.cluster().node(attempt.node), cyclesPerByte);
    long ticket = attempts.ticket(attempt);
    attempt.addFlow(context.transfers().start(owner, through, step.bytes(), limit, ticket));
  }

  private void computed(int flow, long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    attempt.removeFlow(flow);
    Step step = attempt.computing;
    attempt.computing = null;
    context.costs().computed(attempt.node, step.cyclesPerByte() * step.bytes());
    step.then().accept(attempt);
  }

  /** The attempt ends, perhaps in the middle of it. */
  void stop(TaskAttempt attempt) {
    Step step = attempt.computing;
    if (step == null) {
      return;
    }
    double bytes = step.bytes() - attempt.cancelFlows(context.transfers().network());
    attempt.computing = null;
    context.costs().computed(attempt.node, step.cyclesPerByte() * Math.max(0, bytes));
  }
}
