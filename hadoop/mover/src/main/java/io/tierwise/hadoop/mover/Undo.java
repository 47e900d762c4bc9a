package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Takes a run back: the policies and the numbers of replicas that it set, where they are still
 * those that it set, and by {@link Mover#undo} its moves.
 */
public final class Undo {
  private final MoverCluster cluster;
  private final PastRun run;
  private final Map<String, Left> left = new LinkedHashMap<>();
  private final Map<String, String> restored = new HashMap<>();
  private final List<JournalEntry.Policy> policies = new ArrayList<>();
  private final List<JournalEntry.Replicas> files = new ArrayList<>();

  /** Looks what can be taken back; nothing is changed. */
  public Undo(MoverCluster cluster, PastRun run) throws IOException {
    this.cluster = cluster;
    this.run = run;
    for (PastRun.Step step : run.steps()) {
      boolean made = step.result() == null || step.done();
      if (made && step.entry() instanceof JournalEntry.Policy policy) {
        look(policy);
      } else if (made && step.entry() instanceof JournalEntry.Replicas replicas) {
        look(replicas);
      }
    }
  }

  private void look(JournalEntry.Policy policy) throws IOException {
    DistributedFileSystem fs = cluster.fs();
    HdfsFileStatus status = fs.getClient().getFileInfo(policy.path());
    if (status == null || status.getFileId() != policy.fileId()) {
      leave("it was deleted or renamed since", policy.path(), 0);
      return;
    }
    String now = JournaledChanges.ownPolicy(fs, policy.path());
    if (Objects.equals(now, policy.after())) {
      policies.add(policy);
      restored.put(policy.path(), policy.before());
    } else if (Objects.equals(now, policy.before())) {
      restored.put(policy.path(), policy.before());
    } else {
      leave(
          now == null ? "its policy was removed since" : "its policy was changed since, to " + now,
          policy.path(),
          0);
    }
  }

  private void look(JournalEntry.Replicas file) throws IOException {
    HdfsFileStatus status = cluster.fs().getClient().getFileInfo(file.file());
    if (status == null || status.getFileId() != file.fileId()) {
      leave("its file was deleted or renamed since", file.file(), 0);
    } else if (status.getReplication() == file.after()) {
      files.add(file);
    } else if (status.getReplication() != file.before()) {
      leave("its file's number of replicas was changed since", file.file(), status.getLen());
    }
  }

  private void leave(String reason, String path, long bytes) {
    left.merge(
        reason,
        new Left(reason, false, new Amount(1, bytes), path),
        (old, more) -> new Left(reason, false, old.amount().plus(1, bytes), old.example()));
  }

  /** The moves of the run, to be taken back after or together with its policies. */
  BlockIntake.Source moves() {
    return new UndoMoves(cluster, run, restored);
  }

  /** Whether the run moved any replica. */
  public boolean hasMoves() {
    return !run.steps(JournalEntry.Moving.class).isEmpty();
  }

  /** Policies that are, or would be, taken back. */
  public long policies() {
    return policies.size();
  }

  /** Files whose number of replicas is, or would be, taken back. */
  public long files() {
    return files.size();
  }

  /** What has changed since, by reason; the amounts are files and directories. */
  public List<Left> left() {
    return List.copyOf(left.values());
  }

  /** Takes it back: policies first, so that HDFS knows which replicas go. */
  public void apply(JournalRun journal) throws IOException {
    JournaledChanges changes = new JournaledChanges(cluster.fs(), cluster.active(), journal);
    for (JournalEntry.Policy policy : policies) {
      changes.policy(policy.path(), policy.before());
    }
    for (JournalEntry.Replicas file : files) {
      changes.replicas(file.file(), file.fileId(), file.after(), file.before());
    }
    changes.flush();
  }
}
