package io.tierwise.simulator.scenario;

import java.util.List;
import java.util.Objects;

/**
 * A stage of a job: tasks that do the same work on different data.
 *
 * @param name unique in its job, the same in all jobs of an application
 * @param takes what stages before it hand on; empty for one that comes after none
 * @param inputPath what its tasks read from the file system, the same for stages that read the same
 *     data; empty when they read nothing from there
 * @param inputBytes bytes of it
 * @param taskCount 0: one for each block of the input; as many as the stage has whose output it
 *     takes task by task; else by the model's rule for reducers
 * @param cyclesPerByte of what its tasks take in; of what they write when they take nothing in
 * @param taskSeconds of each task beside what goes with bytes
 * @param betweenBytes handed to each of the stages that come after it
 * @param outputBytes written to the file system
 */
public record StageSpec(
    String name,
    List<Edge> takes,
    String inputPath,
    long inputBytes,
    int taskCount,
    double cyclesPerByte,
    double taskSeconds,
    long betweenBytes,
    long outputBytes) {
  public StageSpec {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(inputPath, "inputPath");
    takes = List.copyOf(takes);
    if (inputBytes < 0 || taskCount < 0 || betweenBytes < 0 || outputBytes < 0) {
      throw new IllegalArgumentException(
          "stage "
              + name
              + " of "
              + taskCount
              + " tasks reads, hands on and writes "
              + inputBytes
              + ", "
              + betweenBytes
              + " and "
              + outputBytes
              + " bytes: none may be negative");
    }
    requireNotNegative(name, "cycles a byte", cyclesPerByte);
    requireNotNegative(name, "seconds a task", taskSeconds);
  }

  private static void requireNotNegative(String stage, String figure, double value) {
    if (!(value >= 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(
          "stage " + stage + ": " + figure + " are " + value + ", must not be negative");
    }
  }

  /** The same stage on other bytes, by other tasks. */
  public StageSpec with(String path, long readBytes, int tasks, long handedOn, long written) {
    return new StageSpec(
        name, takes, path, readBytes, tasks, cyclesPerByte, taskSeconds, handedOn, written);
  }

  /** The same stage that takes other things. */
  public StageSpec withEdges(List<Edge> edges) {
    return new StageSpec(
        name,
        edges,
        inputPath,
        inputBytes,
        taskCount,
        cyclesPerByte,
        taskSeconds,
        betweenBytes,
        outputBytes);
  }

  /** The same stage with other cycles for each byte. */
  public StageSpec withCycles(double cycles) {
    return new StageSpec(
        name,
        takes,
        inputPath,
        inputBytes,
        taskCount,
        cycles,
        taskSeconds,
        betweenBytes,
        outputBytes);
  }

  /**
   * What a stage takes of one before it.
   *
   * @param stage its position in the job's list of stages
   * @param oneToOne whether each task takes the output of the task of its own number; else it takes
   *     its share of each task's, as in a shuffle
   */
  public record Edge(int stage, boolean oneToOne) {}
}
