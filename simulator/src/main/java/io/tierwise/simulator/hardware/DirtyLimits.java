package io.tierwise.simulator.hardware;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much dirty data a Linux kernel lets stand in memory by default, as shares of the memory that
 * is free or holds file data.
 *
 * <p>Source: {@code vm_dirty_ratio} and {@code dirty_background_ratio} in mm/page-writeback.c: 40
 * and 10 up to 2.6.21, 10 and 5 from 2.6.22 (07db59bd6b0f), 20 and 10 from 2.6.30 (1b5e62b42b55) to
 * today's. The base is {@code global_dirtyable_memory}: free pages and file pages, not all memory.
 * Own: the page cache of a node stands for it. Deviation: the first kernels took all memory for the
 * base.
 *
 * @param writersShare of the base at which writers wait
 * @param devicesShare of the base at which devices begin to write
 */
public record DirtyLimits(double writersShare, double devicesShare) {
  /** Matches versions since 2.6 as a scenario writes them; kernels before had no such limits. */
  public static final String PATTERN =
      "linux-(?=[3-9]|2\\.(?:[6-9]|[1-9]\\d))([2-9])\\.(\\d{1,3})(?:\\.(\\d{1,3}))?";

  private static final Pattern VERSION = Pattern.compile(PATTERN);

  private record Since(int version, DirtyLimits limits) {}

  /** The newest first. */
  private static final List<Since> HISTORY =
      List.of(
          new Since(number(2, 6, 30), new DirtyLimits(0.20, 0.10)),
          new Since(number(2, 6, 22), new DirtyLimits(0.10, 0.05)),
          new Since(number(2, 6, 0), new DirtyLimits(0.40, 0.10)));

  /** The limits of a kernel, {@code linux-2.6.32}; none when the text names no kernel since 2.6. */
  public static Optional<DirtyLimits> of(String kernel) {
    Matcher parts = VERSION.matcher(kernel);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int patch = parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3));
    int version = number(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)), patch);
    return HISTORY.stream()
        .filter(since -> since.version() <= version)
        .map(Since::limits)
        .findFirst();
  }

  private static int number(int major, int minor, int patch) {
    return (major * 1_000 + minor) * 1_000 + patch;
  }

  /** Dirty bytes at which writers wait. */
  public long writersBytes(long pageCacheBytes) {
    return (long) (writersShare * (double) pageCacheBytes);
  }

  /** Dirty bytes at which devices begin to write. */
  public long devicesBytes(long pageCacheBytes) {
    return (long) (devicesShare * (double) pageCacheBytes);
  }
}
