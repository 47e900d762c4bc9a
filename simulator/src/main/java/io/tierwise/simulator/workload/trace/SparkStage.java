package io.tierwise.simulator.workload.trace;

import io.tierwise.history.SparkEvent;

/** A stage of a Spark job, and the sums over its tasks. */
final class SparkStage {
  final SparkEvent.StageInfo info;
  final JobFigures figures = new JobFigures();

  /** Whether its tasks were counted: only stages that ran are. */
  boolean ran;

  SparkStage(SparkEvent.StageInfo info) {
    this.info = info;
  }

  /** Adds a task that ended well. */
  void add(SparkEvent task) {
    ran = true;
    figures.addInput(task.inputBytes);
    figures.addOutput(task.outputBytes);
    figures.addMapOutput(task.shuffleWriteBytes);
    figures.addShuffleRead(task.shuffleReadBytes);
    figures.addCpuNanos(!info.hasParents(), task.cpuNanos);
  }

  double cpuSeconds() {
    return (figures.mapCpuNanos + figures.reduceCpuNanos) * 1e-9;
  }
}
