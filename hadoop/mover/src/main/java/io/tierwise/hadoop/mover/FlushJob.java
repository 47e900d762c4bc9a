package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The work of a flush: first files drop their surplus replicas, which HDFS does by itself, then
 * others get layouts of their own and move.
 */
record FlushJob(MoverCluster cluster, List<Drop> drops, PolicyMoves moves) implements MoverJob {
  private static final String RULE = "its surplus replicas go: room is needed";

  FlushJob {
    drops = List.copyOf(drops);
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

  @Override
  public MoverReport plan(MoverSettings settings) throws IOException {
    return moves.plan(settings);
  }

  @Override
  public long changes() {
    return drops.size() + moves.changes();
  }

  @Override
  public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
      throws IOException {
    JournaledChanges changes = new JournaledChanges(cluster.fs(), cluster.active(), journal);
    for (Drop drop : drops) {
      HdfsFileStatus now = cluster.fs().getClient().getFileInfo(drop.path());
      // Another file under its name, or another number since it was looked at, is left alone.
      if (now != null
          && now.getFileId() == drop.fileId()
          && now.getReplication() == drop.before()) {
        changes.replicas(drop.path(), drop.fileId(), drop.before(), drop.asked());
      }
    }
    changes.flush();
    return moves.run(mover, journal, progress);
  }
}
