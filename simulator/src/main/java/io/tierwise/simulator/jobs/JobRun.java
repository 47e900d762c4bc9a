package io.tierwise.simulator.jobs;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.work.Job;
import io.tierwise.core.work.SlotKind;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** A job that has arrived and is not over. */
final class JobRun {
  final int id;
  final JobSpec spec;
  final long submitTick;

  /** Each behind those whose output it takes; those that take none first. */
  final List<StageRun> stages = new ArrayList<>(2);

  /** Tasks that run in slots of maps and wait near their data, by their numbers in the job. */
  PendingMaps pendingMaps;

  /** As policies see it, and the queue that it is in; set when it arrives. */
  Job submitted;

  int queue;

  /** That its intermediate data should go to; none for any volume in turn. */
  int temporaryTier = TierTable.NONE;

  /** Such tasks that any slot may take: waiting for one near their data would bring nothing. */
  final IntStack anywhere = new IntStack();

  /** Released tasks without an attempt that wait for slots of reducers. */
  private int waitingReduces;

  int runningTasks;
  boolean failed;

  /** Since when it waits for a slot near its data. */
  long waitingSinceTick;

  /** Whether an event is under way that ends the waiting. */
  boolean delayIsTimed;

  /** Whether it stands among the jobs that wait for slots of each kind. */
  boolean mapsAreQueued;

  boolean reducesAreQueued;
  boolean isOver;

  /** A job without stages, which are added. */
  JobRun(int id, JobSpec spec, long submitTick) {
    this.id = id;
    this.spec = spec;
    this.submitTick = submitTick;
  }

  /** A job of MapReduce; {@code output} is of its reducers, or of its maps when it has none. */
  static JobRun ofMapReduce(
      int id,
      JobSpec spec,
      long submitTick,
      int maps,
      int reducers,
      StoredFile input,
      StoredFile output) {
    JobRun job = new JobRun(id, spec, submitTick);
    boolean reduces = reducers > 0;
    job.add(spec.mapStage(maps, reduces), maps, input, reduces ? null : output);
    if (reduces) {
      job.add(spec.reduceStage(reducers), reducers, null, output);
    }
    return job;
  }

  /** Adds a stage behind those whose output it takes. */
  StageRun add(StageSpec stage, int taskCount, StoredFile input, StoredFile output) {
    StageRun added = new StageRun(this, stage, taskCount, input, output);
    stages.add(added);
    return added;
  }

  /** Its tasks that run in such slots. */
  int taskCount(SlotKind slots) {
    int count = 0;
    for (StageRun stage : stages) {
      count += stage.slots == slots ? stage.taskCount : 0;
    }
    return count;
  }

  /** The stage of the task with that number. */
  StageRun stageOf(int number) {
    int index = 0;
    while (number >= stages.get(index).endTask()) {
      index++;
    }
    return stages.get(index);
  }

  boolean hasWaitingMaps() {
    return pendingMaps.count() > 0 || !anywhere.isEmpty();
  }

  int waitingReduces() {
    return waitingReduces;
  }

  boolean hasWaiting(SlotKind slots) {
    return slots == SlotKind.MAP ? hasWaitingMaps() : waitingReduces > 0;
  }

  /** A task that ran, or never did, waits for any slot of its kind. */
  void waitAnywhere(StageRun stage, int task) {
    if (stage.slots == SlotKind.MAP) {
      anywhere.push(stage.firstTask + task);
    } else {
      stage.waiting.add(task);
      waitingReduces += stage.isReleased ? 1 : 0;
    }
  }

  /** Tasks of the stage may have slots from now on. */
  void release(StageRun stage, int nodeCount) {
    stage.isReleased = true;
    stage.placeWaiting(nodeCount);
    waitingReduces += stage.waiting.count();
  }

  /** Tasks of the stage get no slots until it is released again. */
  void holdBack(StageRun stage) {
    waitingReduces -= stage.isReleased ? stage.waiting.count() : 0;
    stage.isReleased = false;
  }

  /** The first stage of which a task waits for a slot of reducers; there must be one. */
  StageRun firstWaiting() {
    for (StageRun stage : stages) {
      boolean takesSlots = stage.slots == SlotKind.REDUCE && stage.isReleased;
      if (takesSlots && stage.waiting.count() > 0) {
        return stage;
      }
    }
    throw new IllegalStateException("no task of job " + spec.name() + " waits for a slot");
  }

  /** Takes a task of the stage, which waits for a slot of reducers, for a slot of the node. */
  int takeFrom(StageRun stage, int node) {
    waitingReduces--;
    return stage.waiting.take(node);
  }

  boolean isDone() {
    for (StageRun stage : stages) {
      if (!stage.isDone()) {
        return false;
      }
    }
    return true;
  }
}
