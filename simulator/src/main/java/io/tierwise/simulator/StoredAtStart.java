package io.tierwise.simulator;

import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.storage.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The files that are there when a run starts. */
final class StoredAtStart {
  private StoredAtStart() {}

  /** Lays them out. None makes room for another one, nor for itself. */
  static void layOut(List<StoredSpec> specs, TaskContext context, RandomGenerator writers) {
    List<StoredFile> files = new ArrayList<>();
    for (StoredSpec spec : specs) {
      PlacementPolicy policy =
          PlacementPolicies.parse(spec.placement(), context.cluster().view().tiers());
      for (String path : spec.paths()) {
        StoredFile file = context.namespace().create(path, spec.partCount(), spec.partBytes());
        file.opened();
        files.add(file);
        file.setPolicy(policy);
        for (int index = 0; index < file.blockCount(); index++) {
          context.placer().place(file, index, writers.nextInt(context.cluster().nodeCount()));
        }
      }
    }
    files.forEach(StoredFile::closed);
  }
}
