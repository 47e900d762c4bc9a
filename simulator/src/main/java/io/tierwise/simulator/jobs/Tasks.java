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
 * <p>A task starts and reads its input, or fetches what its parent stages left, of which it spills
 * and merges what does not fit into memory. It computes on that. It spills and merges its output
 * for the stages that come after its own, or writes it when there are none. Tasks compute while
 * they read and write, or in series, between both.
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
    this.reader = new InputReader(context, attempts, events, computation, this::inputRead);
    this.writer = new OutputWriter(context, attempts, events);
    this.mapOutput = new MapOutput(context);
    this.spiller = new Spiller(context, attempts, this::spilled);
    this.shuffle = new Shuffle(context, attempts, this::fetched);
    this.started = context.engine().register(this::started);
  }

  /** Starts an attempt of a task on a node, with a heartbeat of the node. */
  TaskAttempt start(StageRun stage, int task, int node) {
    long turn = turns.take(node, context.engine().now());
    TaskAttempt attempt = new TaskAttempt(stage, task, node, attempts.nextId(), turn);
    attempts.add(attempt);
    context.jobMeter().taskStarted();
    events.taskStarted(attempt);
    if (context.model().stragglerShare() > 0
        && context.random().nextDouble() < context.model().stragglerShare()) {
      attempt.slowness = context.model().stragglerFactor();
    }
    double seconds = context.model().taskStartSeconds() + stage.spec.taskSeconds();
    context.engine().at(turn + Ticks.ofSeconds(seconds), started, attempts.ticket(attempt));
    return attempt;
  }

  private void started(long ticket) {
    TaskAttempt attempt = attempts.find(ticket);
    if (attempt == null) {
      return;
    }
    if (attempt.stage.takesAny()) {
      spiller.beginReduce(attempt, runsOfReducer(attempt), inputBytes(attempt));
      shuffle.fetch(attempt);
    } else if (attempt.stage.input != null) {
      spiller.beginMap(attempt);
      reader.read(attempt);
    } else {
      inputRead(attempt);
    }
  }

  private void inputRead(TaskAttempt attempt) {
    if (attempt.stage.takesAny()) {
      reduce(attempt);
    } else if (attempt.stage.handsOn()) {
      handOn(attempt);
    } else if (attempt.stage.output != null) {
      write(attempt);
    } else {
      events.taskDone(attempt);
    }
  }

  private void spilled(TaskAttempt attempt) {
    if (attempt.runs.isOfInput) {
      readBeside(attempt);
      return;
    }
    int volume = attempt.runs.volume;
    spiller.deleteRuns(attempt);
    mapOutput.keep(attempt, volume);
    events.taskDone(attempt);
  }

  private void fetched(TaskAttempt attempt) {
    StageRun stage = attempt.stage;
    if (!stage.parentsAreDone()) {
      attempts.enter(attempt, TaskAttempt.Phase.WAITING_FOR_PARENTS);
      stage.waitingForParents.add(attempt);
    } else if (attempt.fetched == stage.takenSegments()) {
      merge(attempt);
    } else {
      shuffle.fetch(attempt);
    }
  }

  /** All tasks of the stage are done: those that waited for it and no other fetch the rest. */
  void stageDone(StageRun stage) {
    for (StageRun child : stage.children) {
      if (!child.parentsAreDone()) {
        continue;
      }
      List<TaskAttempt> waiting = List.copyOf(child.waitingForParents);
      child.waitingForParents.clear();
      for (TaskAttempt attempt : waiting) {
        if (!stage.job.failed) {
          // May fail the job: with nothing left to fetch it writes, and there may be no room.
          shuffle.fetch(attempt);
        }
      }
    }
  }

  private ReduceRuns runsOfReducer(TaskAttempt attempt) {
    StageRun stage = attempt.stage;
    return ReduceRuns.of(stage.takenBytes(attempt.task), stage.takenSegments(), context.model());
  }

  private void merge(TaskAttempt attempt) {
    ReduceRuns spilled = runsOfReducer(attempt);
    if (spilled.count() == 0) {
      readBeside(attempt);
    } else {
      spiller.spillReduce(attempt, spilled);
    }
  }

  /** Reads the input that its stage has beside what others hand on. */
  private void readBeside(TaskAttempt attempt) {
    if (attempt.stage.input == null) {
      reduce(attempt);
    } else {
      reader.read(attempt);
    }
  }

  /** Reads its runs, computes and writes: at once, or in series. */
  private void reduce(TaskAttempt attempt) {
    if (context.series(attempt.job())) {
      computation.readRuns(attempt, inputBytes(attempt), 0, this::runsRead);
    } else if (attempt.stage.output != null) {
      writer.write(attempt);
    } else {
      computation.readRuns(attempt, inputBytes(attempt), reduceCycles(attempt), this::reduced);
    }
  }

  private void runsRead(TaskAttempt attempt) {
    if (attempt.runs != null) {
      attempt.runs.areRead = true;
    }
    if (attempt.stage.output != null) {
      write(attempt);
    } else {
      computation.start(attempt, inputBytes(attempt), reduceCycles(attempt), this::reduced);
    }
  }

  private void reduced(TaskAttempt attempt) {
    if (attempt.stage.handsOn()) {
      spiller.deleteRuns(attempt);
      handOn(attempt);
    } else {
      events.taskDone(attempt);
    }
  }

  /** Spills and merges what it leaves for the stages that come after its own. */
  private void handOn(TaskAttempt attempt) {
    spiller.spillMap(attempt, attempt.stage.leftBytes(attempt.task));
  }

  private static double inputBytes(TaskAttempt reducer) {
    return (double) reducer.stage.takenBytes(reducer.task);
  }

  private static double reduceCycles(TaskAttempt attempt) {
    return attempt.stage.spec.cyclesPerByte() * attempt.slowness;
  }

  /** Writes its part of the output; in series, it computes all of it before. */
  private void write(TaskAttempt attempt) {
    if (context.series(attempt.job())) {
      double bytes = (double) attempt.stage.output.partBytes();
      computation.start(attempt, bytes, writer.cyclesOfOutput(attempt), writer::write);
    } else {
      writer.write(attempt);
    }
  }

  /** The attempt is over, done or not: nothing of it goes on. */
  void end(TaskAttempt attempt) {
    switch (attempt.phase()) {
      case READING -> reader.end(attempt);
      case COMPUTING -> computation.stop(attempt);
      case FETCHING -> {
        shuffle.endsAttempt(attempt);
        writer.stop(attempt);
      }
      default -> writer.stop(attempt);
    }
    spiller.delete(attempt);
    attempt.stage.waitingForParents.remove(attempt);
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
    boolean isOnVolume = runs != null && runs.volume != ClusterView.NONE && !runs.areRead;
    if (isOnVolume && isLost.test(runs.volume)) {
      return false;
    }
    return attempt.phase() != TaskAttempt.Phase.WRITING || writer.volumesLost(attempt, isLost);
  }

  /** The attempt has ended before its time, and another one does all that it did anew. */
  void discard(TaskAttempt attempt) {
    if (attempt.phase() == TaskAttempt.Phase.WRITING) {
      writer.discard(attempt);
    }
  }

  /** Names the volumes that tasks read blocks from and write them to. */
  void forEachVolumeInUse(IntConsumer volume) {
    for (TaskAttempt attempt : attempts.running()) {
      if (attempt.phase() == TaskAttempt.Phase.READING) {
        accept(volume, attempt.readVolume);
      } else if (attempt.phase() == TaskAttempt.Phase.WRITING) {
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
      switch (attempt.phase()) {
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

  /** Whether no task, running or to come, still needs what the stage leaves. */
  boolean allHaveFetched(StageRun stage) {
    if (!stage.isDone()) {
      return false;
    }
    for (StageRun child : stage.children) {
      if (!child.isReleased || child.waiting.count() > 0) {
        return false;
      }
    }
    for (TaskAttempt attempt : attempts.running()) {
      if (isFetching(attempt) && stage.children.contains(attempt.stage)) {
        return false;
      }
    }
    return true;
  }

  /** Whether it needs what its parents leave, or some of it. */
  static boolean isFetching(TaskAttempt attempt) {
    return attempt.stage.takesAny()
        && (attempt.phase() == TaskAttempt.Phase.STARTING
            || attempt.phase() == TaskAttempt.Phase.FETCHING
            || attempt.phase() == TaskAttempt.Phase.WAITING_FOR_PARENTS);
  }

  MapOutput mapOutput() {
    return mapOutput;
  }

  AttemptTable attempts() {
    return attempts;
  }

  /** Whether a reducer on the node fetches map output. */
  boolean isFetching(int node) {
    return attempts.isFetching(node);
  }
}
