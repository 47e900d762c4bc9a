package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import java.util.concurrent.TimeUnit;

/**
 * The bounds of what is prefetched for jobs that wait.
 *
 * @param catalog of profiles: a file or a URL
 * @param regionBytes of the fast tiers of all nodes together, for prefetched input and intermediate
 *     data: DUX's temporary region
 * @param bufferBytes of it that are never planned with, for jobs that need more than was predicted
 * @param waitMillisMax for which a job that waits may hold room: one of a queue that runs nothing
 *     would hold it for ever
 */
public record Prefetching(String catalog, long regionBytes, long bufferBytes, long waitMillisMax) {
  /** Own: a night is shorter; room that nobody uses for longer is worth more to others. */
  public static final String WAIT_MAX = "12 h";

  private static final long WAIT_MILLIS_MAX = TimeUnit.HOURS.toMillis(12);

  /** Own: predictions by a line are seldom further off. */
  private static final int BUFFER_PART = 10;

  public Prefetching {
    if (bufferBytes >= regionBytes) {
      throw OperatorException.badInput(
          "--prefetch-buffer takes all of --prefetch: give less of it, or a larger --prefetch");
    }
  }

  /** With the usual buffer, a tenth, and the usual wait. */
  public Prefetching(String catalog, long regionBytes) {
    this(catalog, regionBytes, usualBufferBytes(regionBytes), WAIT_MILLIS_MAX);
  }

  /** The buffer where nobody names one. */
  public static long usualBufferBytes(long regionBytes) {
    return regionBytes / BUFFER_PART;
  }
}
