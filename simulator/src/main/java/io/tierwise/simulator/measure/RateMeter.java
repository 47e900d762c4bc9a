package io.tierwise.simulator.measure;

/**
 * TestDFSIO's figures over tasks: each task's bytes and the time it read, or wrote, them.
 *
 * <p>Mean and deviation by Welford's method, so that billions of tasks lose no digits.
 */
public final class RateMeter {
  private long tasks;
  private double bytes;
  private double seconds;
  private double mean;
  private double squares;

  /** A task is over; one that took no time counts in no rate. */
  public void add(long taskBytes, double taskSeconds) {
    if (taskBytes <= 0 || taskSeconds <= 0) {
      return;
    }
    tasks++;
    bytes += (double) taskBytes;
    seconds += taskSeconds;
    double rate = (double) taskBytes / taskSeconds;
    double gap = rate - mean;
    mean += gap / (double) tasks;
    squares += gap * (rate - mean);
  }

  /** All bytes by the sum of all tasks' times. */
  public double totalBytesPerSecond() {
    return seconds > 0 ? bytes / seconds : 0;
  }

  public double mean() {
    return mean;
  }

  /** Of the tasks as the whole population, as TestDFSIO does. */
  public double deviation() {
    return tasks == 0 ? 0 : Math.sqrt(squares / (double) tasks);
  }
}
