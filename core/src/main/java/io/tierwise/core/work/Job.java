package io.tierwise.core.work;

import java.util.List;
import java.util.Objects;

/**
 * A job as it was submitted. Made once, when it arrives; nothing in it changes.
 *
 * @param id counts the jobs of one host in order of submission, from 0
 * @param name for people
 * @param application which program it runs
 * @param submittedNanos on the host's clock
 * @param stages each behind those that it comes after, so that none waits for itself
 */
public record Job(
    int id, String name, Application application, long submittedNanos, List<Stage> stages) {
  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(application, "application");
    stages = List.copyOf(stages);
    for (int stage = 0; stage < stages.size(); stage++) {
      for (int before : stages.get(stage).after()) {
        if (before < 0 || before >= stage) {
          throw new IllegalArgumentException(
              "job "
                  + name
                  + ": stage "
                  + stages.get(stage).name()
                  + " is number "
                  + stage
                  + " and comes after number "
                  + before
                  + ": list stages behind those that they come after");
        }
      }
    }
  }

  /** All bytes that it moves. */
  public long totalBytes() {
    long bytes = 0;
    for (Stage stage : stages) {
      bytes += stage.demand().totalBytes();
    }
    return bytes;
  }

  /** Memory that a task holds at most as long as it has such a slot. */
  public long taskMemoryBytes(SlotKind slots) {
    long bytes = 0;
    for (Stage stage : stages) {
      bytes = Math.max(bytes, stage.slotKind() == slots ? stage.demand().taskMemoryBytes() : 0);
    }
    return bytes;
  }

  /**
   * Seconds of slots that it needs in all, each task on the kind of node that ends it first: the
   * upper end of what the past tells. NaN when it does not tell of each stage.
   */
  public double slotSeconds() {
    double seconds = 0;
    for (Stage stage : stages) {
      seconds += seconds(stage, stage.tasks());
    }
    return seconds;
  }

  private static double seconds(Stage stage, int tasks) {
    return tasks == 0 ? 0 : stage.demand().soonest().highOfSum(tasks);
  }

  /**
   * Seconds that it needs with all slots that it can use: of its longest chain of stages, each
   * one's waves of tasks. The upper end of what the past tells; NaN when it does not tell of each
   * stage.
   */
  public double pathSeconds() {
    double[] end = new double[stages.size()];
    double last = 0;
    for (int stage = 0; stage < end.length; stage++) {
      double start = 0;
      for (int before : stages.get(stage).after()) {
        start = Math.max(start, end[before]);
      }
      Stage here = stages.get(stage);
      end[stage] = start + seconds(here, here.waves());
      last = Math.max(last, end[stage]);
    }
    return last;
  }
}
