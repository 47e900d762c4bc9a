package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Policies that are put on paths, and what is stored below them brought there, in one run. */
public final class PolicyMoves implements MoverJob {
  private final MoverCluster cluster;
  private final Map<String, String> policies;
  private final Map<String, String> access;
  private final Map<String, String> madeOf;
  private long leftOut;

  /**
   * @param policies specifications in canonical form, by path
   * @param access strategies of directories in canonical form, by path
   * @param madeOf those that they were derived from, by path, where they were: there nothing is
   *     changed when another one holds by then; null for stock HDFS
   */
  public PolicyMoves(
      MoverCluster cluster,
      Map<String, String> policies,
      Map<String, String> access,
      Map<String, String> madeOf) {
    this.cluster = cluster;
    this.policies = new LinkedHashMap<>(policies);
    this.access = new LinkedHashMap<>(access);
    this.madeOf = new LinkedHashMap<>(madeOf);
  }

  /** Policies that hold whatever was there before. */
  public PolicyMoves(MoverCluster cluster, Map<String, String> policies) {
    this(cluster, policies, Map.of(), Map.of());
  }

  /** The specifications, by path. */
  Map<String, String> policies() {
    return Collections.unmodifiableMap(policies);
  }

  @Override
  public MoverReport plan(MoverSettings settings) throws IOException {
    return Mover.plan(cluster, settings, MoveOrder.assuming(policies));
  }

  @Override
  public long changes() {
    return policies.size() + access.size() - leftOut;
  }

  @Override
  public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
      throws IOException {
    JournaledChanges changes = new JournaledChanges(cluster.fs(), cluster.active(), journal);
    List<String> changed = new ArrayList<>(policies.keySet());
    List<Left> left = new ArrayList<>();
    for (Map.Entry<String, String> one : access.entrySet()) {
      changes.access(one.getKey(), one.getValue());
    }
    for (Map.Entry<String, String> one : policies.entrySet()) {
      if (madeOf.containsKey(one.getKey())) {
        LayoutWork.requireUnder(
            new FileTiers(cluster), one.getKey(), madeOf.get(one.getKey()), one.getValue());
      }
      try {
        changes.policy(one.getKey(), one.getValue());
      } catch (IOException e) {
        left.add(leftOut(one.getKey(), e));
        changed.remove(one.getKey());
        leftOut++;
      }
    }
    return mover.run(new MoveOrder(changed, Optional.empty()), progress).alsoLeaving(left);
  }

  /**
   * What is said of a path that HDFS does not change, while others go on.
   *
   * @throws IOException the same, where it is about more than this path, or there is no other
   */
  private Left leftOut(String path, IOException why) throws IOException {
    String reason = policies.size() == 1 ? null : PathRefusal.of(why).orElse(null);
    if (reason == null) {
      throw why;
    }
    return new Left(reason, true, Amount.NONE, path);
  }
}
