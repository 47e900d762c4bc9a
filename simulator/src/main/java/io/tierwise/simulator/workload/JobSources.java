package io.tierwise.simulator.workload;

import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.generated.GeneratedJobs;
import io.tierwise.simulator.workload.trace.TraceJobs;
import java.io.IOException;
import java.util.random.RandomGenerator;

/** The jobs of any workload. Start reading here. */
public final class JobSources {
  private JobSources() {}

  /**
   * Opens a workload.
   *
   * @param random of this workload alone, so that its jobs do not depend on what else is drawn
   * @throws IOException when it cannot be opened or its settings make no sense; one line that names
   *     the bad value
   */
  public static JobSource open(WorkloadSpec spec, RandomGenerator random) throws IOException {
    if (spec instanceof WorkloadSpec.Trace trace) {
      return TraceJobs.open(trace);
    }
    if (spec instanceof WorkloadSpec.Applications applications) {
      return GeneratedJobs.of(applications, random);
    }
    if (spec instanceof WorkloadSpec.Dfsio dfsio) {
      return GeneratedJobs.of(dfsio);
    }
    throw new IllegalArgumentException("no source for " + spec);
  }
}
