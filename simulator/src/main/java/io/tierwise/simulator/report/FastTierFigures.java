package io.tierwise.simulator.report;

import io.tierwise.policies.movement.StorageConfiguration;
import io.tierwise.simulator.measure.RunResult;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Numbers of a fast tier that is shared out; not a number where none is. */
final class FastTierFigures {
  private FastTierFigures() {}

  static List<Figure> all() {
    return List.of(
        fastTier(
            "fast_bytes_max", "fast tier, at most", Format.BYTES, RunResult.FastTier::bytesMax),
        fastTier(
            "prefetched_bytes", "  prefetched", Format.BYTES, RunResult.FastTier::prefetchedBytes),
        fastTier(
            "rearranged_bytes",
            "  to persistent region",
            Format.BYTES,
            RunResult.FastTier::rearrangedBytes),
        jobs("jobs_all_slow", "  jobs, all slow", StorageConfiguration.ALL_SLOW),
        jobs(
            "jobs_fast_intermediate",
            "  jobs, fast intermediate",
            StorageConfiguration.FAST_INTERMEDIATE),
        jobs("jobs_fast_input", "  jobs, fast input", StorageConfiguration.FAST_INPUT),
        jobs("jobs_all_fast", "  jobs, all fast", StorageConfiguration.ALL_FAST));
  }

  private static Figure jobs(String name, String title, StorageConfiguration of) {
    return fastTier(name, title, Format.COUNT, tier -> tier.jobs().getOrDefault(of, 0L));
  }

  private static Figure fastTier(
      String name, String title, Format format, ToDoubleFunction<RunResult.FastTier> of) {
    return Figure.figure(
        name,
        title,
        format,
        false,
        (r, s) -> r.fastTier().map(of::applyAsDouble).orElse(Double.NaN));
  }
}
