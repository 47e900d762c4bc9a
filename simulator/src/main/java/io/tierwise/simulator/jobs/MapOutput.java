package io.tierwise.simulator.jobs;

import io.tierwise.core.view.ClusterView;

/**
 * What finished maps leave for reducers, until their job is over: Hadoop deletes a job's local
 * directories then, and a device never sees what it does not have by that time.
 */
final class MapOutput {
  private final TaskContext context;

  MapOutput(TaskContext context) {
    this.context = context;
  }

  /** A map is done: its output is there for reducers. */
  void keep(TaskAttempt attempt, int volume) {
    JobRun job = attempt.job;
    context.caches()[attempt.node].append(
        TaskContext.mapOutputKey(job, volume), job.mapOutputBytes(attempt.task));
    job.outputNodes[job.mapsDone] = attempt.node;
    job.outputVolumes[job.mapsDone] = volume;
    job.outputMaps[job.mapsDone] = attempt.task;
  }

  /** The output at that position is lost. */
  void forget(JobRun job, int position) {
    delete(job, position);
    job.outputNodes[position] = ClusterView.NONE;
  }

  /** The job is over: nobody fetches any more. */
  void delete(JobRun job) {
    for (int i = 0; i < job.outputNodes.length && i < job.mapsDone; i++) {
      if (job.outputNodes[i] != ClusterView.NONE) {
        delete(job, i);
      }
    }
  }

  private void delete(JobRun job, int position) {
    int volume = job.outputVolumes[position];
    context.caches()[job.outputNodes[position]].remove(TaskContext.mapOutputKey(job, volume));
    if (volume != ClusterView.NONE) {
      context.buffers().deleted(TaskContext.mapFile(job, job.outputMaps[position]), volume);
    }
  }
}
