package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.hadoop.hdfs.ClassTimes;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementPromises;
import io.tierwise.policies.placement.PlacementRequest;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Calls policies, which may be of another jar: what they throw says whose it is, and an answer that
 * is none is not handed on.
 */
final class PolicyCalls {
  private PolicyCalls() {}

  /**
   * Asks for volumes.
   *
   * @param times of the policy's class
   * @param volumeCount of the volumes that an answer may name
   * @return null while the policy's class is set aside
   */
  static Place place(
      PlacementPolicy policy,
      ClassTimes times,
      PlacementRequest request,
      ClusterView view,
      Supplier<? extends RandomGenerator> randoms,
      int volumeCount) {
    int began = times.tryBegin();
    if (began == ClassTimes.SET_ASIDE) {
      return null;
    }
    Place decision;
    try {
      decision = policy.place(request, view, randoms.get());
    } catch (Throwable e) {
      throw new PolicyFailure(policy, e);
    } finally {
      times.end(began);
    }
    PlacementPromises.requireAnswer(policy, decision, volumeCount);
    return decision;
  }

  /** Asks which replicas go of a block that has too many: indexes into {@code volumes}. */
  static int[] chooseExcess(ManagedFile file, int[] volumes, int wanted, ClusterView view) {
    int[] chosen;
    try {
      chosen = file.policy().chooseExcess(volumes, file.file(), wanted, view);
    } catch (Throwable e) {
      throw new PolicyFailure(file.policy(), e);
    }
    PlacementPromises.requireExcess(file.policy(), chosen, volumes.length, wanted);
    return chosen;
  }
}
