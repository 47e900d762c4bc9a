package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.WorkloadException;
import java.util.random.RandomGenerator;

/** Opens the workloads that are made up: applications and TestDFSIO. */
public final class GeneratedJobs {
  private GeneratedJobs() {}

  /** Jobs of TestDFSIO. */
  public static JobSource of(WorkloadSpec.Dfsio spec) throws WorkloadException {
    return DfsioJobs.of(spec);
  }

  /** Jobs of applications of the table that comes with the simulator. */
  public static JobSource of(WorkloadSpec.Applications spec, RandomGenerator random)
      throws WorkloadException {
    JobMix mix = new JobMix(spec.shares(), ApplicationTable.bundled());
    WorkloadSpec.Arrival arrival = spec.arrival();
    if (isGraph(spec)) {
      return graph(spec, mix);
    }
    if (arrival instanceof WorkloadSpec.Arrival.Together) {
      return new OpenArrivals(mix, Double.POSITIVE_INFINITY, random);
    }
    if (arrival instanceof WorkloadSpec.Arrival.OneAfterAnother) {
      return new ClosedArrivals(mix, 1, 0, true, random);
    }
    if (arrival instanceof WorkloadSpec.Arrival.Poisson poisson) {
      if (!(poisson.jobsPerSecond() > 0 && Double.isFinite(poisson.jobsPerSecond()))) {
        throw new WorkloadException(
            "jobs per second are " + poisson.jobsPerSecond() + ", must be above 0 and finite");
      }
      return new OpenArrivals(mix, poisson.jobsPerSecond(), random);
    }
    if (arrival instanceof WorkloadSpec.Arrival.ClosedLoop loop) {
      if (loop.clients() < 1) {
        throw new WorkloadException("clients are " + loop.clients() + ", must be 1 or more");
      }
      if (!(loop.thinkSeconds() >= 0 && Double.isFinite(loop.thinkSeconds()))) {
        throw new WorkloadException(
            "think time is " + loop.thinkSeconds() + " s, must be 0 or more and finite");
      }
      return new ClosedArrivals(mix, loop.clients(), loop.thinkSeconds(), false, random);
    }
    throw new IllegalArgumentException("no source for " + arrival);
  }

  /**
   * Whether the jobs that wait for others can all come.
   *
   * @throws WorkloadException when some cannot; the message names them
   */
  public static void check(WorkloadSpec.Applications spec) throws WorkloadException {
    if (isGraph(spec)) {
      graph(spec, new JobMix(spec.shares(), ApplicationTable.bundled()));
    }
  }

  private static boolean isGraph(WorkloadSpec.Applications spec) {
    return spec.shares().stream().anyMatch(share -> share.edges().areAny());
  }

  private static JobSource graph(WorkloadSpec.Applications spec, JobMix mix)
      throws WorkloadException {
    if (!(spec.arrival() instanceof WorkloadSpec.Arrival.Together)) {
      throw new WorkloadException(
          "jobs that name others in after or reads arrive when these are over: set arrival to"
              + " together, or remove after and reads");
    }
    return new GraphArrivals(mix, JobGraph.of(spec.shares(), mix));
  }
}
