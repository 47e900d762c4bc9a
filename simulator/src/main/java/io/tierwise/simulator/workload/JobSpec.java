package io.tierwise.simulator.workload;

import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.TaskMemory;
import java.util.Objects;

/**
 * One job, as it arrives.
 *
 * @param name unique in its workload
 * @param application name of its profile, for reports; empty when unknown
 * @param submitSeconds since the start of the run
 * @param inputPath what its maps read, the same for jobs that read the same data; empty when the
 *     job reads nothing from the file system
 * @param outputPath what its output is called when a later job reads it; else empty
 * @param inputBytes bytes that its maps read, the first ones of the input
 * @param inputFileBytes size of what lies at {@code inputPath}: the same for every job that reads
 *     it, and no less than {@code inputBytes}
 * @param mapOutputBytes bytes that its maps hand to its reducers; 0 for a job without reducers
 * @param outputBytes bytes that it writes to the file system
 * @param mapCount 0: one for each block of the input
 * @param reduceCount 0: by the model's rule; must be 0 when {@code mapOutputBytes} is 0
 * @param mapCyclesPerByte CPU cycles for each byte of map input (of output when it has no input)
 * @param reduceCyclesPerByte CPU cycles for each byte of reduce input
 * @param localityShare share of its maps that are placed by where their data is, from 0 to 1; the
 *     others go to a rack that holds it; 0: to any free slot (TestDFSIO's maps are placed by where
 *     their control files are)
 * @param taskSeconds fixed start-up and clean-up time of each task
 * @param outputReplication replicas of what it writes, no more than the file system's; 0: as many
 * @param phases of its tasks
 * @param memory that its tasks hold
 * @param temporaryDevice class of the devices that its tasks spill to, on nodes that have one for
 *     temporary data; empty: any in turn
 */
public record JobSpec(
    String name,
    String application,
    double submitSeconds,
    String inputPath,
    String outputPath,
    long inputBytes,
    long inputFileBytes,
    long mapOutputBytes,
    long outputBytes,
    int mapCount,
    int reduceCount,
    double mapCyclesPerByte,
    double reduceCyclesPerByte,
    double localityShare,
    double taskSeconds,
    int outputReplication,
    PhasePlan phases,
    TaskMemory memory,
    String temporaryDevice) {
  public JobSpec {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(application, "application");
    Objects.requireNonNull(inputPath, "inputPath");
    Objects.requireNonNull(outputPath, "outputPath");
    Objects.requireNonNull(phases, "phases");
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(temporaryDevice, "temporaryDevice");
    requireNotNegative(name, "submitSeconds", submitSeconds);
    requireNotNegative(name, "inputBytes", (double) inputBytes);
    requireNotNegative(name, "mapOutputBytes", (double) mapOutputBytes);
    requireNotNegative(name, "outputBytes", (double) outputBytes);
    requireNotNegative(name, "mapCount", mapCount);
    requireNotNegative(name, "reduceCount", reduceCount);
    requireNotNegative(name, "mapCyclesPerByte", mapCyclesPerByte);
    requireNotNegative(name, "reduceCyclesPerByte", reduceCyclesPerByte);
    requireNotNegative(name, "taskSeconds", taskSeconds);
    requireNotNegative(name, "localityShare", localityShare);
    requireNotNegative(name, "outputReplication", outputReplication);
    if (localityShare > 1) {
      throw new IllegalArgumentException(
          "job " + name + ": localityShare is " + localityShare + ", must not be above 1");
    }
    if (inputFileBytes < inputBytes) {
      throw new IllegalArgumentException(
          "job " + name + ": reads " + inputBytes + " bytes of a file of " + inputFileBytes);
    }
  }

  /** A job that says nothing of its tasks' phases, memory and devices. */
  public JobSpec(
      String name,
      String application,
      double submitSeconds,
      String inputPath,
      String outputPath,
      long inputBytes,
      long inputFileBytes,
      long mapOutputBytes,
      long outputBytes,
      int mapCount,
      int reduceCount,
      double mapCyclesPerByte,
      double reduceCyclesPerByte,
      double localityShare,
      double taskSeconds,
      int outputReplication) {
    this(
        name,
        application,
        submitSeconds,
        inputPath,
        outputPath,
        inputBytes,
        inputFileBytes,
        mapOutputBytes,
        outputBytes,
        mapCount,
        reduceCount,
        mapCyclesPerByte,
        reduceCyclesPerByte,
        localityShare,
        taskSeconds,
        outputReplication,
        PhasePlan.MODEL,
        TaskMemory.NONE,
        "");
  }

  /** The same job with another number of replicas of its output. */
  public JobSpec withOutputReplication(int replicas) {
    return with(mapCyclesPerByte, reduceCyclesPerByte, replicas);
  }

  /**
   * The same job with other files.
   *
   * @param fileBytes size of what lies at the path that it reads
   */
  public JobSpec withFiles(String reads, long fileBytes, String writes) {
    return new JobSpec(
        name,
        application,
        submitSeconds,
        reads,
        writes,
        inputBytes,
        fileBytes,
        mapOutputBytes,
        outputBytes,
        mapCount,
        reduceCount,
        mapCyclesPerByte,
        reduceCyclesPerByte,
        localityShare,
        taskSeconds,
        outputReplication,
        phases,
        memory,
        temporaryDevice);
  }

  /** The same job with tasks of another kind. */
  public JobSpec withTasks(PhasePlan plan, TaskMemory held, String device) {
    return with(mapCyclesPerByte, reduceCyclesPerByte, outputReplication, plan, held, device);
  }

  /** The same job with other cycles for each byte. */
  JobSpec withCompute(double mapCycles, double reduceCycles) {
    return with(mapCycles, reduceCycles, outputReplication);
  }

  private JobSpec with(double mapCycles, double reduceCycles, int replicas) {
    return with(mapCycles, reduceCycles, replicas, phases, memory, temporaryDevice);
  }

  private JobSpec with(
      double mapCycles,
      double reduceCycles,
      int replicas,
      PhasePlan plan,
      TaskMemory held,
      String device) {
    return new JobSpec(
        name,
        application,
        submitSeconds,
        inputPath,
        outputPath,
        inputBytes,
        inputFileBytes,
        mapOutputBytes,
        outputBytes,
        mapCount,
        reduceCount,
        mapCycles,
        reduceCycles,
        localityShare,
        taskSeconds,
        replicas,
        plan,
        held,
        device);
  }

  private static void requireNotNegative(String job, String figure, double value) {
    if (!(value >= 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(
          "job " + job + ": " + figure + " is " + value + ", must not be negative");
    }
  }
}
