package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.workload.JobSpec;
import io.tierwise.simulator.workload.WorkloadException;

/**
 * An application on more or less data.
 *
 * <p>Own: jobs of one application and size read the same data, as repeated runs of a benchmark do.
 *
 * @param sizeScale bytes and task counts are multiplied by it; a count above 0 stays at least 1
 * @param phases of its tasks, in the place of its own
 * @param memory that its tasks hold
 * @param temporaryDevice class of the devices that they spill to; empty: any
 */
record ScaledApplication(
    Application application,
    double sizeScale,
    PhasePlan phases,
    TaskMemory memory,
    String temporaryDevice) {
  private static final double BYTES_MAX = 1L << 60;
  private static final double TASKS_MAX = 10_000_000;

  /** Says whether the scaled figures are ones that a job may have. */
  void check() throws WorkloadException {
    long bytes =
        Math.max(
            application.inputBytes(),
            Math.max(application.mapOutputBytes(), application.outputBytes()));
    int tasks = Math.max(application.mapCount(), application.reduceCount());
    if (bytes * sizeScale > BYTES_MAX || tasks * sizeScale > TASKS_MAX) {
      throw new WorkloadException(
          "size scale of application '"
              + application.name()
              + "' is "
              + sizeScale
              + ": a job would have "
              + (bytes * sizeScale)
              + " bytes and "
              + (tasks * sizeScale)
              + " tasks, make it smaller");
    }
  }

  long inputBytes() {
    return bytes(application.inputBytes());
  }

  long outputBytes() {
    return bytes(application.outputBytes());
  }

  JobSpec job(long number, double submitSeconds) {
    String size = sizeScale == 1 ? "" : "-x" + sizeScale;
    JobSpec job =
        new JobSpec(
            application.name() + "-" + number,
            application.name(),
            submitSeconds,
            application.inputBytes() == 0 ? "" : inputPath() + size,
            "",
            inputBytes(),
            inputBytes(),
            bytes(application.mapOutputBytes()),
            outputBytes(),
            tasks(application.mapCount()),
            tasks(application.reduceCount()),
            application.mapCyclesPerByte(),
            application.reduceCyclesPerByte(),
            1,
            0,
            0);
    return job.withOutputReplication(application.outputReplication())
        .withTasks(
            phases == PhasePlan.MODEL ? application.phases() : phases, memory, temporaryDevice)
        .withStages(application.stages().stream().map(stage -> scaled(stage, size)).toList());
  }

  private StageSpec scaled(StageSpec stage, String size) {
    return stage.with(
        stage.inputBytes() == 0 ? "" : inputPath() + size + "/" + stage.name(),
        bytes(stage.inputBytes()),
        tasks(stage.taskCount()),
        bytes(stage.betweenBytes()),
        bytes(stage.outputBytes()));
  }

  private String inputPath() {
    return "/workload/input/" + application.name();
  }

  /** A figure above 0 stays above 0: a job with reducers keeps something to reduce. */
  private long bytes(long unscaled) {
    return unscaled == 0 ? 0 : Math.max(1, Math.round(unscaled * sizeScale));
  }

  private int tasks(int unscaled) {
    return unscaled == 0 ? 0 : (int) Math.max(1, Math.round(unscaled * sizeScale));
  }
}
