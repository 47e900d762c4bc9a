package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;

/**
 * The bounds of what is prefetched for jobs that wait.
 *
 * @param catalog of profiles: a file or a URL
 * @param regionBytes of the fast tiers of all nodes together, for prefetched input and intermediate
 *     data: DUX's temporary region
 * @param bufferBytes of it that are never planned with, for jobs that need more than was predicted
 */
public record Prefetching(String catalog, long regionBytes, long bufferBytes) {
  /** Own: predictions by a line are seldom further off. */
  private static final int BUFFER_PART = 10;

  public Prefetching {
    if (bufferBytes >= regionBytes) {
      throw OperatorException.badInput(
          "--prefetch-buffer takes all of --prefetch: give less of it, or a larger --prefetch");
    }
  }

  /** With the usual buffer, a tenth. */
  public Prefetching(String catalog, long regionBytes) {
    this(catalog, regionBytes, regionBytes / BUFFER_PART);
  }
}
