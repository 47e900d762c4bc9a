package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.storage.StoredFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A stage of a job that runs: what its tasks take in and what they leave.
 *
 * <p>Tasks of a stage that takes nothing from others run in slots of maps, all others in those of
 * reducers.
 */
final class StageRun {
  final JobRun job;
  final StageSpec spec;

  /** Position among the stages of its job. */
  final int index;

  final int taskCount;

  /** The tasks of a job are numbered through, stage by stage: the number of its first one. */
  final int firstTask;

  final SlotKind slots;
  final StoredFile input;
  final StoredFile output;

  /** Bytes that its tasks read: what it asks for, or all there is. */
  final long inputBytes;

  private final int inputBlocks;

  /** The stages whose output it takes, in the order of its edges. */
  final List<StageRun> parents = new ArrayList<>();

  /** Whether it takes that output task by task, by parent. */
  private final boolean[] oneToOne;

  final List<StageRun> children = new ArrayList<>();

  /** Its tasks without an attempt, where these wait for slots of reducers. */
  final WaitingTasks waiting = new WaitingTasks();

  /** Nodes that hold the output of finished tasks, in the order in which they finished; or none. */
  int[] outputNodes = {};

  /** Volumes at the same positions that hold it; or none, on nodes that keep it in memory. */
  int[] outputVolumes = {};

  /** The task whose output stands at the same position of {@link #outputNodes}. */
  int[] outputTasks = {};

  /** The position of each task's output, where others take it task by task. */
  private int[] positions = {};

  /** Attempts that have fetched what there is, in the order in which they began to wait. */
  final Set<TaskAttempt> waitingForParents = new LinkedHashSet<>();

  /** Kept by {@link AttemptTable}. */
  final StageAttempts running = new StageAttempts();

  int tasksDone;

  /** Sum of what the tasks that are done took. */
  private double finishedTicks;

  /** Whether its tasks may have slots: enough of what its parents leave is there. */
  boolean isReleased;

  /** When it is looked at for late tasks, and since when it may be. */
  long nextLookTick = Ticks.NEVER;

  long noLookBeforeTick;

  StageRun(JobRun job, StageSpec spec, int taskCount, StoredFile input, StoredFile output) {
    this.job = job;
    this.spec = spec;
    this.index = job.stages.size();
    this.taskCount = taskCount;
    this.firstTask = index == 0 ? 0 : job.stages.get(index - 1).endTask();
    this.slots = spec.takes().isEmpty() ? SlotKind.MAP : SlotKind.REDUCE;
    this.input = input;
    this.output = output;
    this.inputBytes = input == null ? 0 : Math.min(spec.inputBytes(), input.bytes());
    this.inputBlocks = input == null ? 0 : input.blockIndexAt(inputBytes - 1) + 1;
    this.isReleased = spec.takes().isEmpty();
    this.oneToOne = new boolean[spec.takes().size()];
    for (StageSpec.Edge edge : spec.takes()) {
      StageRun parent = job.stages.get(edge.stage());
      oneToOne[parents.size()] = edge.oneToOne();
      parents.add(parent);
      parent.handTo(this, edge.oneToOne());
    }
    for (int task = takesAny() ? taskCount - 1 : -1; task >= 0; task--) {
      waiting.add(task);
    }
  }

  private void handTo(StageRun child, boolean oneToOne) {
    children.add(child);
    if (outputNodes.length == 0) {
      outputNodes = new int[taskCount];
      outputVolumes = new int[taskCount];
      outputTasks = new int[taskCount];
    }
    if (oneToOne && positions.length == 0) {
      positions = new int[taskCount];
      Arrays.fill(positions, ClusterView.NONE);
    }
  }

  /** The number of the first task behind its own. */
  int endTask() {
    return firstTask + taskCount;
  }

  boolean takesAny() {
    return !parents.isEmpty();
  }

  /** Whether other stages take what its tasks leave. */
  boolean handsOn() {
    return !children.isEmpty();
  }

  boolean isDone() {
    return tasksDone == taskCount;
  }

  boolean parentsAreDone() {
    for (StageRun parent : parents) {
      if (!parent.isDone()) {
        return false;
      }
    }
    return true;
  }

  /** A task that is nearly done leaves its output on a node, and a volume of it or in memory. */
  void keep(int task, int node, int volume) {
    outputNodes[tasksDone] = node;
    outputVolumes[tasksDone] = volume;
    outputTasks[tasksDone] = task;
    if (positions.length > 0) {
      positions[task] = tasksDone;
    }
  }

  void taskDone(long ticks) {
    tasksDone++;
    finishedTicks += (double) ticks;
  }

  /** NaN before one is done. */
  double meanTaskSeconds() {
    return tasksDone == 0 ? Double.NaN : finishedTicks / tasksDone / (double) Ticks.PER_SECOND;
  }

  /** The output at that position is lost; returns the task that left it and has to run again. */
  int forgetDone(int position) {
    // The mean of the others stays what it was.
    finishedTicks -= finishedTicks / tasksDone;
    int task = outputTasks[position];
    tasksDone--;
    outputNodes[position] = outputNodes[tasksDone];
    outputVolumes[position] = outputVolumes[tasksDone];
    outputTasks[position] = outputTasks[tasksDone];
    if (positions.length > 0) {
      positions[outputTasks[position]] = position;
      positions[task] = ClusterView.NONE;
    }
    return task;
  }

  /** Throws when the output of a task counts twice. */
  void checkOutputs() {
    BitSet counted = new BitSet(taskCount);
    for (int position = 0; handsOn() && position < tasksDone; position++) {
      if (counted.get(outputTasks[position])) {
        throw new IllegalStateException(
            "the output of task " + outputTasks[position] + " of a stage counts twice");
      }
      counted.set(outputTasks[position]);
    }
  }

  boolean isOneToOne(int edge) {
    return oneToOne[edge];
  }

  /** Where the output of a task stands among those of finished tasks, or none. */
  int positionOf(int task) {
    int position = positions[task];
    boolean isThere = position != ClusterView.NONE && outputNodes[position] != ClusterView.NONE;
    return isThere ? position : ClusterView.NONE;
  }

  /** The node that has what a task takes of its parent, or none where it takes from many. */
  int nodeOfInput(int task) {
    for (int edge = 0; edge < parents.size(); edge++) {
      if (isOneToOne(edge)) {
        StageRun parent = parents.get(edge);
        int position = parent.positionOf(task);
        return position == ClusterView.NONE ? position : parent.outputNodes[position];
      }
    }
    return ClusterView.NONE;
  }

  /** Notes for all tasks that wait on which node their input is. */
  void placeWaiting(int nodeCount) {
    for (StageSpec.Edge edge : spec.takes()) {
      if (edge.oneToOne()) {
        waiting.place(taskCount, nodeCount, this::nodeOfInput);
        return;
      }
    }
  }

  /** Segments of a parent's output that are there for a task. */
  int availableSegments(int edge, int task) {
    StageRun parent = parents.get(edge);
    if (isOneToOne(edge)) {
      return parent.positionOf(task) == ClusterView.NONE ? 0 : 1;
    }
    return parent.tasksDone;
  }

  /** Segments that a task takes of a parent's output when all of it is there. */
  int segments(int edge) {
    return isOneToOne(edge) ? 1 : parents.get(edge).taskCount;
  }

  /** Bytes of so many segments that a task takes. */
  long segmentBytes(int edge, int task, int segments) {
    StageRun parent = parents.get(edge);
    if (isOneToOne(edge)) {
      return segments * parent.leftBytes(task);
    }
    long bytes = EqualParts.of(parent.spec.betweenBytes(), task, taskCount);
    return EqualParts.before(bytes, segments, parent.taskCount);
  }

  /** Segments that a task takes of all parents' output. */
  int takenSegments() {
    int segments = 0;
    for (int edge = 0; edge < parents.size(); edge++) {
      segments += segments(edge);
    }
    return segments;
  }

  /** Bytes that a task takes of all parents' output. */
  long takenBytes(int task) {
    long bytes = 0;
    for (int edge = 0; edge < parents.size(); edge++) {
      bytes += segmentBytes(edge, task, segments(edge));
    }
    return bytes;
  }

  /**
   * First byte of the input that a task reads: of a block, when there are no more tasks than
   * blocks, so that its data lies where its first block does; else tasks read equal parts.
   */
  long inputStart(int task) {
    if (taskCount > inputBlocks) {
      return EqualParts.before(inputBytes, task, taskCount);
    }
    int block = (int) ((long) inputBlocks * task / taskCount);
    return task == taskCount ? inputBytes : input.blockStart(block);
  }

  /** The namespace's block that a task reads first. */
  int inputBlock(int task) {
    return input.block(input.blockIndexAt(inputStart(task)));
  }

  /** Bytes of the input that a task reads. */
  long inputBytes(int task) {
    return input == null ? 0 : inputStart(task + 1) - inputStart(task);
  }

  /** Bytes that a task leaves for the stages that come after it. */
  long leftBytes(int task) {
    return EqualParts.of(spec.betweenBytes(), task, taskCount);
  }

  /** The mean of what its tasks take in; of a stage that takes nothing in, of what they write. */
  double meanTaskBytes() {
    long bytes = inputBytes;
    for (StageRun parent : parents) {
      bytes += parent.spec.betweenBytes();
    }
    boolean takesNone = input == null && parents.isEmpty();
    return (double) (takesNone ? spec.outputBytes() : bytes) / taskCount;
  }
}
