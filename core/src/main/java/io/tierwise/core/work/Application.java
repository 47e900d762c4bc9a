package io.tierwise.core.work;

import java.util.List;
import java.util.Objects;

/**
 * A program that jobs run again and again, and what its tasks took until now. Nothing in it
 * changes: a host that learns more makes another one.
 *
 * @param name tells it from others; empty when nobody says which program a job runs
 * @param past one for each stage and kind of node on which a task of it has ended
 */
public record Application(String name, List<Past> past) {
  /** Own: so many deviations hold 95% of a normal distribution. */
  private static final double DEVIATIONS = 1.96;

  public Application {
    Objects.requireNonNull(name, "name");
    past = List.copyOf(past);
  }

  /** An application of which nothing is known but its name. */
  public static Application named(String name) {
    return new Application(name, List.of());
  }

  /**
   * Tasks of a stage that ended on nodes of one kind.
   *
   * @param stage its name
   * @param nodeKind as the host counts kinds of node
   * @param tasks how many, at least 1
   * @param taskBytes mean bytes that one of them took in
   * @param seconds mean seconds that one of them had its slot
   * @param deviation standard deviation of these seconds; NaN of one task
   */
  public record Past(
      String stage, int nodeKind, long tasks, double taskBytes, double seconds, double deviation) {
    public Past {
      Objects.requireNonNull(stage, "stage");
      if (tasks < 1) {
        throw new IllegalArgumentException(
            "the past of stage " + stage + " has " + tasks + " tasks, must be 1 or more");
      }
    }

    /**
     * A task that takes in {@code bytes}.
     *
     * <p>t = m b / B, with 95% within 1.96 s (b / B) sqrt(1 + 1 / n): seconds; m mean seconds and B
     * mean bytes of n tasks, s their deviation, b the bytes. Source: the prediction interval of one
     * more value. Own: time grows with the bytes; the deviation of one task is taken to be its
     * seconds.
     */
    Seconds of(double bytes) {
      double scale = bytes > 0 && taskBytes > 0 ? bytes / taskBytes : 1;
      double likely = seconds * scale;
      double spread = Double.isNaN(deviation) ? seconds : deviation;
      double off = DEVIATIONS * spread * scale * Math.sqrt(1 + 1.0 / tasks);
      return new Seconds(Math.max(0, likely - off), likely, likely + off);
    }
  }

  /**
   * The time of one task.
   *
   * @param bytes that it will take in
   */
  public Seconds taskSeconds(String stage, int nodeKind, double bytes) {
    for (Past one : past) {
      if (one.nodeKind() == nodeKind && one.stage().equals(stage)) {
        return one.of(bytes);
      }
    }
    return Seconds.UNKNOWN;
  }
}
