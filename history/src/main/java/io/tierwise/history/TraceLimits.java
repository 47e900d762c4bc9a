package io.tierwise.history;

/**
 * The largest figures of a trace. A figure beyond these is a damaged file, not a large cluster.
 *
 * <p>Own: the largest job of the Facebook traces moves less than 100 TB; the limits leave four
 * orders of magnitude.
 */
public final class TraceLimits {
  /** Bytes that one job reads, shuffles or writes: 1 EiB. */
  public static final long BYTES_MAX = 1L << 60;

  /** Map or reduce tasks of one job. */
  public static final int TASKS_MAX = 10_000_000;

  /** Milliseconds since 1970, or since the start of the trace: the year 2286. */
  public static final long SUBMIT_MILLIS_MAX = 9_999_999_999_999L;

  /** CPU milliseconds of one task: 31 years. */
  public static final long CPU_MILLIS_MAX = 1_000_000_000_000L;

  /** Bytes of one row of a tab separated trace. */
  public static final int ROW_BYTES_MAX = 64 * 1024;

  /** Characters of all input paths of a trace, which are kept to know the size of each. */
  public static final long PATH_CHARACTERS_MAX = 128L << 20;

  /** Files of one folder. */
  public static final int FILES_MAX = 1_000_000;

  /** Jobs of one Spark application that are not over yet, and stages that belong to them. */
  public static final int OPEN_MAX = 100_000;

  /** Hosts that one run's tasks ran on: more than any cluster has. */
  public static final int HOSTS_MAX = 100_000;

  private TraceLimits() {}
}
