package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;

/**
 * A closed loop: so many clients, each of whom submits a job, waits for its end, thinks, and
 * submits the next one.
 */
final class ClosedArrivals implements JobSource {
  private final JobMix mix;
  private final boolean inOrder;
  private final double thinkSeconds;
  private final RandomGenerator random;

  /**
   * When clients submit next. In order of time, since jobs finish in order of time and every client
   * thinks equally long.
   */
  private final ArrayDeque<Double> ready = new ArrayDeque<>();

  private int clientsNotStarted;

  ClosedArrivals(
      JobMix mix, int clients, double thinkSeconds, boolean inOrder, RandomGenerator random) {
    this.mix = mix;
    this.inOrder = inOrder;
    this.thinkSeconds = thinkSeconds;
    this.random = random;
    clientsNotStarted = clients;
  }

  @Override
  public JobSpec next() {
    if (mix.isEmpty() || (clientsNotStarted == 0 && ready.isEmpty())) {
      return null;
    }
    double submitSeconds = 0;
    if (clientsNotStarted > 0) {
      clientsNotStarted--;
    } else {
      submitSeconds = ready.remove();
    }
    ScaledApplication application = inOrder ? mix.takeFirst() : mix.takeRandom(random);
    return application.job(mix.taken(), submitSeconds);
  }

  @Override
  public boolean finished(JobSpec job, double atSeconds) {
    if (mix.isEmpty()) {
      return false;
    }
    ready.add(atSeconds + thinkSeconds);
    return true;
  }

  @Override
  public double progress() {
    return mix.taken() / (double) mix.total();
  }

  @Override
  public void close() {}
}
