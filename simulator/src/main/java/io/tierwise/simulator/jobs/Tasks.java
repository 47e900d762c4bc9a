package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.network.FlowNetwork;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * The phases of tasks.
 *
 * <p>A map starts, reads its input and computes on it, and spills and merges its output for the
 * reducers, or writes it when there are none. A reducer starts, fetches, spills and merges what
 * does not fit into memory, computes and writes. Tasks compute while they read and write, or in
 * series, between both.
 */
final class Tasks {
  private final TaskContext context;
  private final AttemptTable attempts = new AttemptTable();
  private final TaskEvents events;
  private final Computation computation;
  private final InputReader reader;
  private final OutputWriter writer;
  private final Spiller spiller;
  private final MapOutput mapOutput;
  private final Shuffle shuffle;
  private final TaskTurns turns;
  private final int started;

  /**
   * Tasks that tell {@code events} of what becomes of them.
   *
   * @param tasksATurn that a heartbeat gives a node at most
   */
  Tasks(TaskContext context, TaskEvents events, int tasksATurn) {
    this.context = context;
    this.turns =
        new TaskTurns(
            Ticks.ofSeconds(context.model().heartbeatSeconds()),
            tasksATurn,
            context.cluster().nodeCount());
    this.events = events;
    this.computation = new Computation(context, attempts);
    this.reader = new InputReader(context, attempts, events, computation, this::mapInputRead);
    this.writer = new OutputWriter(context, attempts, events);
    this.mapOutput = new MapOutput(context);
    this.spiller = new Spiller(context, attempts, this::spilled);
    this.shuffle = new Shuffle(context, attempts, this::fetched);
    this.started = context.engine().register(this::started);
  }

  /** Starts an attempt of a task on a node, with a heartbeat of the node. */
  TaskAttempt start(JobRun job, int task, boolean reduce, int node) {
    long turn = turns.take(node, context.engine().now());
    TaskAttempt attempt = new TaskAttempt(job, task, reduce, node, attempts.nextId(), turn);
    attempts.add(attempt);
    context.jobMeter().taskStarted();
    events.taskStarted(attempt);
    if (context.model().stragglerShare() > 0
        && context.random().nextDouble() < context.model().stragglerShare()) {
      attempt.slowness = context.model().stragglerFactor();
    }
    double seconds = context.model().taskStartSeconds() + job.spec.taskSeconds();
    context.engine().at(turn + Ticks.ofSeconds(seconds), started, attempts.ticket(attempt));
    return attempt;
  }

  private void started(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt == null) {
      return;
    }
    if (attempt.reduce) {
      spiller.beginReduce(attempt, runsOfReducer(attempt.job), inputBytes(attempt));
      shuffle.fetch(attempt);
    } else if (attempt.job.input != null) {
      spiller.beginMap(attempt);
      reader.read(attempt);
    } else {
      mapInputRead(attempt);
    }
  }

  private void mapInputRead(TaskAttempt attempt) {
    JobRun job = attempt.job;
    if (job.reduceCount > 0) {
      spiller.spillMap(attempt, job.mapOutputBytes(attempt.task));
    } else if (job.output != null) {
      write(attempt);
    } else {
      finish(attempt);
    }
  }

  private void spilled(TaskAttempt attempt) {
    if (attempt.reduce) {
      reduce(attempt);
      return;
    }
    int volume = attempt.runs.volume;
    spiller.deleteRuns(attempt);
    mapOutput.keep(attempt, volume);
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

  private ReduceRuns runsOfReducer(JobRun job) {
    return ReduceRuns.of(job.reduceInputBytes(job.mapCount), job.mapCount, context.model());
  }

  private void merge(TaskAttempt attempt) {
    ReduceRuns spilled = runsOfReducer(attempt.job);
    if (spilled.count() == 0) {
      reduce(attempt);
    } else {
      spiller.spillReduce(attempt, spilled);
    }
  }

  /** Reads its runs, computes and writes: at once, or in series. */
  private void reduce(TaskAttempt attempt) {
    if (context.series(attempt.job)) {
      computation.readRuns(attempt, inputBytes(attempt), 0, this::runsRead);
    } else if (attempt.job.output != null) {
      writer.write(attempt);
    } else {
      computation.readRuns(attempt, inputBytes(attempt), reduceCycles(attempt), this::finish);
    }
  }

  private void runsRead(TaskAttempt attempt) {
    if (attempt.runs != null) {
      attempt.runs.areRead = true;
    }
    if (attempt.job.output != null) {
      write(attempt);
    } else {
      computation.start(attempt, inputBytes(attempt), reduceCycles(attempt), this::finish);
    }
  }

  private static double inputBytes(TaskAttempt reducer) {
    return (double) reducer.job.reduceInputBytes(reducer.job.mapCount);
  }

  private static double reduceCycles(TaskAttempt attempt) {
    return attempt.job.spec.reduceCyclesPerByte() * attempt.slowness;
  }

  /** Writes its part of the output; in series, it computes all of it before. */
  private void write(TaskAttempt attempt) {
    if (context.series(attempt.job)) {
      double bytes = (double) attempt.job.output.partBytes();
      computation.start(attempt, bytes, writer.cyclesOfOutput(attempt), writer::write);
    } else {
      writer.write(attempt);
    }
  }

  private void finish(TaskAttempt attempt) {
    events.taskDone(attempt);
  }

  /** The attempt is over, done or not: nothing of it goes on. */
  void end(TaskAttempt attempt) {
    switch (attempt.phase) {
      case READING -> reader.stop(attempt);
      case COMPUTING -> computation.stop(attempt);
      default -> writer.stop(attempt);
    }
    spiller.delete(attempt);
    attempt.job.waitingReduces.remove(attempt);
    attempts.remove(attempt);
  }

  /** The replica that serves its read is gone. */
  void sourceLost(TaskAttempt attempt) {
    reader.sourceLost(attempt);
  }

  /**
   * Some volumes are gone, of which a write under way may have been to some, and which may hold
   * what the attempt has spilled.
   *
   * @return false when nothing is left of it: the attempt cannot go on
   */
  boolean volumesLost(TaskAttempt attempt, IntPredicate isLost) {
    Runs runs = attempt.runs;
    if (runs != null && runs.volume != ClusterView.NONE && isLost.test(runs.volume)) {
      return false;
    }
    return attempt.phase != TaskAttempt.Phase.WRITING || writer.volumesLost(attempt, isLost);
  }

  /** The attempt has ended before its time, and another one does all that it did anew. */
  void discard(TaskAttempt attempt) {
    if (attempt.phase == TaskAttempt.Phase.WRITING) {
      writer.discard(attempt);
    }
  }

  /** Names the volumes that tasks read blocks from and write them to. */
  void forEachVolumeInUse(IntConsumer volume) {
    for (TaskAttempt attempt : attempts.running()) {
      if (attempt.phase == TaskAttempt.Phase.READING) {
        accept(volume, attempt.readVolume);
      } else if (attempt.phase == TaskAttempt.Phase.WRITING) {
        for (int target : attempt.targets) {
          accept(volume, target);
        }
      }
    }
  }

  private static void accept(IntConsumer consumer, int volume) {
    if (volume != ClusterView.NONE) {
      consumer.accept(volume);
    }
  }

  /** The computing of all attempts now. */
  Computing computing() {
    Computing computing = new Computing(context.cluster().nodeCount());
    for (TaskAttempt attempt : attempts.running()) {
      switch (attempt.phase) {
        case READING ->
            addComputing(attempt, (double) attempt.readBytes, reader.cycles(attempt), computing);
        case WRITING ->
            addComputing(attempt, (double) attempt.targetBytes, writer.cycles(attempt), computing);
        case COMPUTING -> {
          Computation.Step step = attempt.computing;
          addComputing(attempt, step.bytes(), step.cyclesPerByte(), computing);
        }
        default -> {}
      }
    }
    return computing;
  }

  private void addComputing(
      TaskAttempt attempt, double bytes, double cyclesPerByte, Computing computing) {
    if (attempt.flowCount == 0 || cyclesPerByte == 0) {
      return;
    }
    FlowNetwork network = context.transfers().network();
    int flow = attempt.onlyFlow();
    double corePerByte = cyclesPerByte / context.cluster().node(attempt.node).cyclesPerSecond();
    double bytesMoved = bytes - network.bytesLeft(flow);
    computing.add(attempt.node, network.rate(flow) * corePerByte, bytesMoved * corePerByte);
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

  MapOutput mapOutput() {
    return mapOutput;
  }

  AttemptTable attempts() {
    return attempts;
  }

  /** Whether a reducer on the node fetches map output. */
  boolean isFetching(int node) {
    return attempts.running().stream()
        .anyMatch(task -> task.node == node && task.phase == TaskAttempt.Phase.FETCHING);
  }
}
