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
 * @param access strategies of directories in canonical form, by path
 * @param madeOf those that they were derived from, by path, where they were: there nothing is
 *     changed when another one holds by then; null for stock HDFS
 */
public record PolicyMoves(
    MoverCluster cluster,
    Map<String, String> policies,
    Map<String, String> access,
    Map<String, String> madeOf)
    implements MoverJob {
  public PolicyMoves {
    policies = new LinkedHashMap<>(policies);
    access = new LinkedHashMap<>(access);
    madeOf = new LinkedHashMap<>(madeOf);
  }

  /** Policies that hold whatever was there before. */
  public PolicyMoves(MoverCluster cluster, Map<String, String> policies) {
    this(cluster, policies, Map.of(), Map.of());
  }

  @Override
  public MoverReport plan(MoverSettings settings) throws IOException {
    return Mover.plan(cluster, settings, MoveOrder.assuming(policies));
  }

  @Override
  public long changes() {
    return (long) policies.size() + access.size();
  }

  @Override
  public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
      throws IOException {
    JournaledChanges changes = new JournaledChanges(cluster.fs(), cluster.active(), journal);
    for (Map.Entry<String, String> one : access.entrySet()) {
      changes.access(one.getKey(), one.getValue());
    }
    for (Map.Entry<String, String> one : policies.entrySet()) {
      if (madeOf.containsKey(one.getKey())) {
        LayoutWork.requireUnder(
            new FileTiers(cluster), one.getKey(), madeOf.get(one.getKey()), one.getValue());
      }
      changes.policy(one.getKey(), one.getValue());
    }
    return mover.run(new MoveOrder(List.copyOf(policies.keySet()), Optional.empty()), progress);
  }
}
