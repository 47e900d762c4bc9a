package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The work of a flush: first files drop their surplus replicas, which HDFS does by itself, then
 * others get layouts of their own and move. The oldest files come first, which others delete
 * meanwhile: one that is gone, or another one by now, is left out. Once only.
 */
final class FlushJob implements MoverJob {
  private static final String RULE = "its surplus replicas go: room is needed";

  private final MoverCluster cluster;
  private final List<Drop> drops;
  private final List<Relayout> relayouts;
  private long done;
  private Left left;

  FlushJob(MoverCluster cluster, List<Drop> drops, List<Relayout> relayouts) {
    this.cluster = cluster;
    this.drops = List.copyOf(drops);
    this.relayouts = List.copyOf(relayouts);
  }

  /**
   * A file that drops its surplus replicas.
   *
   * @param policy that marks them
   * @param before how many replicas it has
   * @param after how many it keeps
   * @param bytes that its replicas free in all tiers
   */
  record Drop(String path, long fileId, String policy, int before, int after, long bytes) {
    private SetReplicas asked() {
      return new SetReplicas(policy, RULE, after, new Cost(0, 0, -bytes, 0, 0));
    }
  }

  /** A file that gets another layout. */
  record Relayout(String path, long fileId, String policy) {}

  /** The files that get another layout. */
  List<String> paths() {
    return relayouts.stream().map(Relayout::path).toList();
  }

  @Override
  public MoverReport plan(MoverSettings settings) throws IOException {
    Map<String, String> policies = new LinkedHashMap<>();
    relayouts.forEach(one -> policies.put(one.path(), one.policy()));
    return Mover.plan(cluster, settings, MoveOrder.assuming(policies));
  }

  @Override
  public long changes() {
    return done;
  }

  @Override
  public List<Left> changesLeft() {
    return left == null ? List.of() : List.of(left);
  }

  @Override
  public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
      throws IOException {
    JournaledChanges changes = new JournaledChanges(cluster.fs(), cluster.active(), journal);
    for (Drop drop : drops) {
      HdfsFileStatus now = cluster.fs().getClient().getFileInfo(drop.path());
      if (isIt(now, drop.fileId()) && now.getReplication() == drop.before()) {
        changes.replicas(drop.path(), drop.fileId(), drop.before(), drop.asked());
      } else {
        leave(drop.path());
      }
    }
    changes.flush();
    Map<String, Long> toMove = new LinkedHashMap<>();
    for (Relayout one : relayouts) {
      if (change(one, changes)) {
        toMove.put(one.path(), one.fileId());
      } else {
        leave(one.path());
      }
    }
    done = changes.done();
    MoveOrder order = new MoveOrder(List.copyOf(toMove.keySet()), Optional.empty()).only(toMove);
    return mover.run(order, progress);
  }

  private boolean change(Relayout one, JournaledChanges changes) throws IOException {
    if (!isIt(cluster.fs().getClient().getFileInfo(one.path()), one.fileId())) {
      return false;
    }
    try {
      changes.policy(one.path(), one.policy());
      return true;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private static boolean isIt(HdfsFileStatus now, long fileId) {
    return now != null && now.getFileId() == fileId;
  }

  private void leave(String path) {
    Amount before = left == null ? Amount.NONE : left.amount();
    String example = left == null ? path : left.example();
    left = new Left("it was deleted or changed meanwhile", false, before.plus(1, 0), example);
  }
}
