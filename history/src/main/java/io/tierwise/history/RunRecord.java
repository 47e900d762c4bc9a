package io.tierwise.history;

import java.util.List;
import java.util.Locale;

/**
 * What one run of an application did, as its history tells.
 *
 * @param id the engine's: of the job, or of the Spark application and its attempt
 * @param application the name that the run was given, as it stands in the file
 * @param startMillis when its first task started; when it was submitted, where no task says so
 * @param succeeded whether it did all that it should
 * @param inputs paths and patterns that its history names as its input, as they stand there; a
 *     MapReduce job's are in another file ({@link JobInputs})
 */
public record RunRecord(
    Engine engine,
    String id,
    String application,
    long submitMillis,
    long startMillis,
    long endMillis,
    boolean succeeded,
    List<Phase> phases,
    List<String> inputs) {
  /** A run whose history names no input. */
  public RunRecord(
      Engine engine,
      String id,
      String application,
      long submitMillis,
      long startMillis,
      long endMillis,
      boolean succeeded,
      List<Phase> phases) {
    this(
        engine,
        id,
        application,
        submitMillis,
        startMillis,
        endMillis,
        succeeded,
        phases,
        List.of());
  }

  /** Who ran it. */
  public enum Engine {
    MAPREDUCE,
    SPARK;

    /** As tables, answers and catalogs name it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The phase of that place in the engine's order. */
  public Phase phase(int index) {
    return phases.get(index);
  }

  /** The same run with these inputs. */
  public RunRecord withInputs(List<String> paths) {
    return new RunRecord(
        engine,
        id,
        application,
        submitMillis,
        startMillis,
        endMillis,
        succeeded,
        phases,
        List.copyOf(paths));
  }

  /**
   * The same run, unless it did more than any can.
   *
   * @param where names the file in the message
   */
  RunRecord plausible(String where) throws BadRowException {
    for (Phase phase : phases) {
      long most = Math.max(phase.readBytes(), phase.writtenBytes());
      most = Math.max(most, Math.max(phase.spilledBytes(), phase.shuffledBytes()));
      most = Math.max(most, Math.max(phase.taskMillis(), phase.cpuNanos()));
      if (most > TraceLimits.BYTES_MAX || phase.taskCount() > TraceLimits.TASKS_MAX) {
        throw new BadRowException(
            where
                + ": phase "
                + phase.name()
                + " has more than "
                + TraceLimits.BYTES_MAX
                + " bytes or nanoseconds, or "
                + TraceLimits.TASKS_MAX
                + " tasks, is damaged");
      }
    }
    return this;
  }
}
