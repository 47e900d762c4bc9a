package io.tierwise.simulator.workload;

import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.scenario.TaskMemory;
import java.util.List;
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
 * @param stages of a job that is more than maps and reducers, each behind those whose output it
 *     takes, those that take none first; the figures above are then the sums over them, and the
 *     cycles means; empty: maps, and reducers where there is map output
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
    String temporaryDevice,
    List<StageSpec> stages) {
  /** So many stages a job has at most. */
  public static final int STAGES_MAX = 128;

  private static final List<StageSpec.Edge> SHUFFLE = List.of(new StageSpec.Edge(0, false));

  public JobSpec {
    stages = List.copyOf(stages);
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
        "",
        List.of());
  }

  /** The files that a job reads and writes. */
  private record Files(String reads, long bytes, String writes) {}

  /** What a job's tasks do, and hold meanwhile. */
  private record Tasks(
      double mapCycles,
      double reduceCycles,
      int replicas,
      PhasePlan phases,
      TaskMemory memory,
      String device) {}

  private Files files() {
    return new Files(inputPath, inputFileBytes, outputPath);
  }

  private Tasks tasks() {
    return new Tasks(
        mapCyclesPerByte, reduceCyclesPerByte, outputReplication, phases, memory, temporaryDevice);
  }

  /** The same job with another number of replicas of its output. */
  public JobSpec withOutputReplication(int replicas) {
    Tasks tasks =
        new Tasks(mapCyclesPerByte, reduceCyclesPerByte, replicas, phases, memory, temporaryDevice);
    return with(files(), tasks, stages);
  }

  /**
   * The same job with other files.
   *
   * @param fileBytes size of what lies at the path that it reads
   */
  public JobSpec withFiles(String reads, long fileBytes, String writes) {
    return with(new Files(reads, fileBytes, writes), tasks(), stages);
  }

  /** The same job with tasks of another kind. */
  public JobSpec withTasks(PhasePlan plan, TaskMemory held, String device) {
    Tasks tasks =
        new Tasks(mapCyclesPerByte, reduceCyclesPerByte, outputReplication, plan, held, device);
    return with(files(), tasks, stages);
  }

  /** The same job with other stages, of which its other figures are the sums. */
  public JobSpec withStages(List<StageSpec> others) {
    return with(files(), tasks(), others);
  }

  /** The same job with other cycles for each byte. */
  JobSpec withCompute(double mapCycles, double reduceCycles) {
    List<StageSpec> computing =
        stages.stream()
            .map(one -> one.withCycles(one.takes().isEmpty() ? mapCycles : reduceCycles))
            .toList();
    Tasks tasks =
        new Tasks(mapCycles, reduceCycles, outputReplication, phases, memory, temporaryDevice);
    return with(files(), tasks, computing);
  }

  /** The one stage, or the first of two, of a job of maps and reducers. */
  public StageSpec mapStage(int maps, boolean reduces) {
    return new StageSpec(
        "map",
        List.of(),
        inputPath,
        inputBytes,
        maps,
        mapCyclesPerByte,
        taskSeconds,
        reduces ? mapOutputBytes : 0,
        reduces ? 0 : outputBytes);
  }

  /** The second of two. */
  public StageSpec reduceStage(int reducers) {
    return new StageSpec(
        "reduce", SHUFFLE, "", 0, reducers, reduceCyclesPerByte, taskSeconds, 0, outputBytes);
  }

  private JobSpec with(Files files, Tasks tasks, List<StageSpec> others) {
    return new JobSpec(
        name,
        application,
        submitSeconds,
        files.reads(),
        files.writes(),
        inputBytes,
        files.bytes(),
        mapOutputBytes,
        outputBytes,
        mapCount,
        reduceCount,
        tasks.mapCycles(),
        tasks.reduceCycles(),
        localityShare,
        taskSeconds,
        tasks.replicas(),
        tasks.phases(),
        tasks.memory(),
        tasks.device(),
        others);
  }

  private static void requireNotNegative(String job, String figure, double value) {
    if (!(value >= 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(
          "job " + job + ": " + figure + " is " + value + ", must not be negative");
    }
  }
}
