package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Policies that are put on paths, and what is stored below them brought there, in one run.
 *
 * @param policies specifications in canonical form, by path
 */
public record PolicyMoves(MoverCluster cluster, Map<String, String> policies) implements MoverJob {
  public PolicyMoves {
    policies = new LinkedHashMap<>(policies);
  }

  @Override
  public MoverReport plan(MoverSettings settings) throws IOException {
    return Mover.plan(cluster, settings, MoveOrder.assuming(policies));
  }

  @Override
  public long changes() {
    return policies.size();
  }

  @Override
  public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
      throws IOException {
    JournaledChanges changes = new JournaledChanges(cluster.fs(), cluster.active(), journal);
    for (Map.Entry<String, String> one : policies.entrySet()) {
      changes.policy(one.getKey(), one.getValue());
    }
    return mover.run(new MoveOrder(List.copyOf(policies.keySet()), Optional.empty()), progress);
  }
}
