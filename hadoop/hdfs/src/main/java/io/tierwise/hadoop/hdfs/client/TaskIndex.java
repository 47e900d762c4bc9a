package io.tierwise.hadoop.hdfs.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * The task of its job that is reading: the key {@code tierwise.access.task-index}, else the task
 * number of MapReduce's attempt, else Spark's partition, else none.
 */
final class TaskIndex {
  /** Stands for a reader that is no task. */
  static final long NONE = -1;

  private static final String MAPREDUCE_ATTEMPT = "mapreduce.task.attempt.id";
  private static final Pattern ATTEMPT = Pattern.compile("attempt_\\d+_\\d+_[a-z]_(\\d+)_\\d+");
  private static final String SPARK_CONTEXT = "org.apache.spark.TaskContext";

  private final long configured;
  private final MethodHandle sparkPartition;

  private TaskIndex(long configured, MethodHandle sparkPartition) {
    this.configured = configured;
    this.sparkPartition = sparkPartition;
  }

  /**
   * @throws IllegalArgumentException when the key's value is no whole number
   */
  static TaskIndex of(Configuration conf) {
    String key = conf.getTrimmed(ClientKeys.TASK_INDEX);
    if (key != null && !key.isEmpty()) {
      return new TaskIndex(parse(key), null);
    }
    Matcher attempt = ATTEMPT.matcher(conf.getTrimmed(MAPREDUCE_ATTEMPT, ""));
    if (attempt.matches()) {
      return new TaskIndex(Long.parseLong(attempt.group(1)), null);
    }
    return new TaskIndex(NONE, sparkPartition());
  }

  private static long parse(String text) {
    try {
      return Math.max(NONE, Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          ClientKeys.TASK_INDEX + " is \"" + text + "\": must be a whole number", e);
    }
  }

  /** Spark is found by name: most readers have none, and we depend on none. */
  private static MethodHandle sparkPartition() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      Class<?> context =
          Class.forName(
              SPARK_CONTEXT, false, loader != null ? loader : TaskIndex.class.getClassLoader());
      return MethodHandles.publicLookup()
          .findStatic(context, "getPartitionId", MethodType.methodType(int.class));
    } catch (ReflectiveOperationException | LinkageError e) {
      return null;
    }
  }

  /** The index of the task that the calling thread runs, or {@link #NONE}. */
  long current() {
    if (sparkPartition == null) {
      return configured;
    }
    try {
      // Spark answers 0 outside of a task as well: the first partition's share, which is harmless.
      return (int) sparkPartition.invokeExact();
    } catch (Throwable e) {
      return NONE;
    }
  }
}
