package io.tierwise.simulator.scenario;

/** Memory that each map and each reducer of a job holds as long as it has its slot. */
public record TaskMemory(long mapBytes, long reduceBytes) {
  /** Nobody says how much. */
  public static final TaskMemory NONE = new TaskMemory(0, 0);

  public TaskMemory {
    if (mapBytes < 0 || reduceBytes < 0) {
      throw new IllegalArgumentException(
          "tasks hold " + mapBytes + " and " + reduceBytes + " bytes of memory, less than none");
    }
  }
}
