package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;

/**
 * What finished tasks leave for other stages, until their job is over: Hadoop deletes a job's local
 * directories then, and a device never sees what it does not have by that time.
 */
final class MapOutput {
  private final TaskContext context;

  MapOutput(TaskContext context) {
    this.context = context;
  }

  /** A task is done: its output is there for others. */
  void keep(TaskAttempt attempt, int volume) {
    StageRun stage = attempt.stage;
    context.caches()[attempt.node].append(
        TaskContext.outputKey(stage, volume), stage.leftBytes(attempt.task));
    stage.keep(attempt.task, attempt.node, volume);
  }

  /** The output at that position is lost. */
  void forget(StageRun stage, int position) {
    delete(stage, position);
    stage.outputNodes[position] = ClusterView.NONE;
  }

  /** The job is over: nobody fetches any more. */
  void delete(JobRun job) {
    for (StageRun stage : job.stages) {
      for (int i = 0; i < stage.tasksDone && stage.handsOn(); i++) {
        if (stage.outputNodes[i] != ClusterView.NONE) {
          delete(stage, i);
        }
      }
    }
  }

  private void delete(StageRun stage, int position) {
    int volume = stage.outputVolumes[position];
    context.caches()[stage.outputNodes[position]].remove(TaskContext.outputKey(stage, volume));
    if (volume != ClusterView.NONE) {
      long file = TaskContext.outputFile(stage, stage.outputTasks[position]);
      context.buffers().deleted(file, volume);
    }
  }
}
