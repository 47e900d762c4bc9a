package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.util.random.RandomGenerator;

/**
 * Jobs that arrive whatever becomes of those before: all at once, in the order given, or as a
 * Poisson process in random order.
 */
final class OpenArrivals implements JobSource {
  private final JobMix mix;
  private final double jobsPerSecond;
  private final RandomGenerator random;
  private double nowSeconds;

  /**
   * Arrivals of a mix.
   *
   * @param jobsPerSecond on average; infinite for all at once
   */
  OpenArrivals(JobMix mix, double jobsPerSecond, RandomGenerator random) {
    this.mix = mix;
    this.jobsPerSecond = jobsPerSecond;
    this.random = random;
  }

  @Override
  public JobSpec next() {
    if (mix.isEmpty()) {
      return null;
    }
    if (Double.isInfinite(jobsPerSecond)) {
      return mix.takeFirst().job(mix.taken(), 0);
    }
    nowSeconds += random.nextExponential() / jobsPerSecond;
    return mix.takeRandom(random).job(mix.taken(), nowSeconds);
  }

  @Override
  public double progress() {
    return mix.taken() / (double) mix.total();
  }

  @Override
  public void close() {}
}
