package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.workload.WorkloadException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** So many jobs of each application, taken out one by one. */
final class JobMix {
  private final List<ScaledApplication> applications = new ArrayList<>();
  private final long[] left;
  private final long total;
  private long taken;

  JobMix(List<WorkloadSpec.Applications.Share> shares, ApplicationTable table)
      throws WorkloadException {
    left = new long[shares.size()];
    long sum = 0;
    for (int i = 0; i < left.length; i++) {
      WorkloadSpec.Applications.Share share = shares.get(i);
      if (share.count() < 0) {
        throw new WorkloadException(
            "count of application '"
                + share.application()
                + "' is "
                + share.count()
                + ", must not be negative");
      }
      if (!(share.sizeScale() > 0 && Double.isFinite(share.sizeScale()))) {
        throw new WorkloadException(
            "size scale of application '"
                + share.application()
                + "' is "
                + share.sizeScale()
                + ", must be above 0 and finite");
      }
      ScaledApplication scaled =
          new ScaledApplication(
              share.stages().isEmpty()
                  ? table.get(share.application())
                  : Application.ofStages(share.application(), share.stages()),
              share.sizeScale(),
              share.phases(),
              share.memory(),
              share.temporaryDevice());
      scaled.check();
      applications.add(scaled);
      left[i] = share.count();
      sum += share.count();
    }
    if (sum == 0) {
      throw new WorkloadException("the workload has no job: give an application a count above 0");
    }
    total = sum;
  }

  long total() {
    return total;
  }

  long taken() {
    return taken;
  }

  boolean isEmpty() {
    return taken == total;
  }

  /** The next in the order given. */
  ScaledApplication takeFirst() {
    int index = 0;
    while (left[index] == 0) {
      index++;
    }
    return take(index);
  }

  /** One of those left, each job with the same probability: a random order without keeping one. */
  ScaledApplication takeRandom(RandomGenerator random) {
    long ticket = random.nextLong(total - taken);
    int index = 0;
    while (ticket >= left[index]) {
      ticket -= left[index];
      index++;
    }
    return take(index);
  }

  /** Jobs of the application at an index that are left. */
  long left(int index) {
    return left[index];
  }

  /** The application at an index, whatever is left of it. */
  ScaledApplication at(int index) {
    return applications.get(index);
  }

  /** Takes a job of the application at an index, of which one is left. */
  ScaledApplication take(int index) {
    left[index]--;
    taken++;
    return applications.get(index);
  }
}
