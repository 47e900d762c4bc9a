package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.engine.Ticks;
import java.util.List;

/**
 * What tasks do, phase by phase.
 *
 * <p>A map starts, reads its input and computes on it, and leaves its output for the reducers, or
 * writes it when there are none. A reducer starts, fetches, merges what does not fit into memory,
 * and computes while it writes.
 */
final class Tasks {
  private final TaskContext context;
  private final AttemptTable attempts = new AttemptTable();
  private final TaskEvents events;
  private final InputReader reader;
  private final OutputWriter writer;
  private final Spiller spiller;
  private final Shuffle shuffle;
  private final int started;
  private final int computed;

  Tasks(TaskContext context, TaskEvents events) {
    this.context = context;
    this.events = events;
    this.reader = new InputReader(context, attempts, events, this::mapInputRead);
    this.writer = new OutputWriter(context, attempts, events);
    this.spiller = new Spiller(context, attempts, this::spilled);
    this.shuffle = new Shuffle(context, attempts, this::fetched);
    this.started = context.engine().register(this::started);
    this.computed = context.engine().register(this::computed);
  }

  /** Starts an attempt of a task on a node. */
  TaskAttempt start(JobRun job, int task, boolean reduce, int node) {
    long now = context.engine().now();
    TaskAttempt attempt = new TaskAttempt(job, task, reduce, node, attempts.nextId(), now);
    attempts.add(attempt);
    context.jobMeter().taskStarted();
    if (context.model().stragglerShare() > 0
        && context.random().nextDouble() < context.model().stragglerShare()) {
      attempt.slowness = context.model().stragglerFactor();
    }
    double seconds = context.model().taskStartSeconds() + job.spec.taskSeconds();
    context.engine().at(now + Ticks.ofSeconds(seconds), started, attempts.ticket(attempt));
    return attempt;
  }

  private void started(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt == null) {
      return;
    }
    if (attempt.reduce) {
      shuffle.fetch(attempt);
    } else if (attempt.job.input != null) {
      reader.read(attempt);
    } else {
      mapInputRead(attempt);
    }
  }

  private void mapInputRead(TaskAttempt attempt) {
    JobRun job = attempt.job;
    if (job.reduceCount > 0) {
      long bytes = job.mapOutputBytes(attempt.task);
      spiller.spill(attempt, bytes);
    } else if (job.output != null) {
      writer.write(attempt);
    } else {
      finish(attempt);
    }
  }

  private void spilled(TaskAttempt attempt) {
    if (attempt.reduce) {
      reduce(attempt);
      return;
    }
    JobRun job = attempt.job;
    long bytes = job.mapOutputBytes(attempt.task);
    context.caches()[attempt.node].add(TaskContext.mapOutputKey(job), bytes);
    job.outputNodes[job.mapsDone] = attempt.node;
    job.outputMaps[job.mapsDone] = attempt.task;
    finish(attempt);
  }

  private void fetched(TaskAttempt attempt) {
    JobRun job = attempt.job;
    if (!job.mapsAreDone()) {
      attempt.phase = TaskAttempt.Phase.WAITING_FOR_MAPS;
      job.waitingReduces.add(attempt);
    } else if (attempt.fetchedMaps < job.mapsDone) {
      shuffle.fetch(attempt);
    } else {
      merge(attempt);
    }
  }

  /** All maps of the job are done: reducers that waited fetch the rest. */
  void mapsDone(JobRun job) {
    List<TaskAttempt> waiting = List.copyOf(job.waitingReduces);
    job.waitingReduces.clear();
    for (TaskAttempt attempt : waiting) {
      if (!job.failed) {
        // May fail the job: with nothing left to fetch it writes, and there may be no room.
        shuffle.fetch(attempt);
      }
    }
  }

  private void merge(TaskAttempt attempt) {
    long bytes = attempt.job.reduceInputBytes(attempt.job.mapCount);
    if (bytes <= context.model().sortBytes()) {
      reduce(attempt);
      return;
    }
    int volume = spiller.spill(attempt, bytes);
    boolean staysCached = bytes <= context.cluster().node(attempt.node).pageCacheBytes();
    attempt.mergeVolume = staysCached ? ClusterView.NONE : volume;
  }

  private void reduce(TaskAttempt attempt) {
    JobRun job = attempt.job;
    if (job.output != null) {
      writer.write(attempt);
      return;
    }
    double cycles = job.spec.reduceCyclesPerByte() * attempt.slowness;
    double bytes = (double) job.reduceInputBytes(job.mapCount);
    context.costs().computed(attempt.node, cycles * bytes);
    double seconds = bytes / Compute.bytesPerSecond(context.cluster().node(attempt.node), cycles);
    long at = context.engine().now() + Ticks.ofSeconds(seconds);
    context.engine().at(at, computed, attempts.ticket(attempt));
  }

  private void computed(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt != null) {
      finish(attempt);
    }
  }

  private void finish(TaskAttempt attempt) {
    events.taskDone(attempt);
  }

  /** The attempt is over, done or not: nothing of it goes on. */
  void end(TaskAttempt attempt) {
    if (attempt.phase == TaskAttempt.Phase.READING) {
      reader.stop(attempt);
    } else {
      writer.stop(attempt);
    }
    attempt.job.waitingReduces.remove(attempt);
    attempts.remove(attempt);
  }

  /** The node that serves its read is gone. */
  void sourceLost(TaskAttempt attempt) {
    reader.sourceLost(attempt);
  }

  /** Whether it is writing a block of which a node gets a replica. */
  boolean writesTo(TaskAttempt attempt, int node) {
    return writer.writesTo(attempt, node);
  }

  /** A node that it writes to is gone. */
  void targetLost(TaskAttempt attempt, int node) {
    writer.targetLost(attempt, node);
  }

  /** Whether no reducer of the job, running or to come, still needs map output. */
  boolean allHaveFetched(JobRun job) {
    if (!job.mapsAreDone() || !job.pendingReduces.isEmpty() || !job.reducesReleased) {
      return false;
    }
    for (TaskAttempt attempt : attempts.running()) {
      boolean needs =
          attempt.phase == TaskAttempt.Phase.STARTING
              || attempt.phase == TaskAttempt.Phase.FETCHING
              || attempt.phase == TaskAttempt.Phase.WAITING_FOR_MAPS;
      if (attempt.job == job && attempt.reduce && needs) {
        return false;
      }
    }
    return true;
  }

  /** Finished maps are to be run again: no reducer has fetched more than there are. */
  void mapsLost(JobRun job) {
    for (TaskAttempt attempt : attempts.running()) {
      if (attempt.job == job && attempt.reduce) {
        attempt.fetchedMaps = Math.min(attempt.fetchedMaps, job.mapsDone);
      }
    }
  }

  AttemptTable attempts() {
    return attempts;
  }
}
