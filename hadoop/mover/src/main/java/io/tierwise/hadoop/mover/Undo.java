package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Takes a run back: the policies, access strategies, storage policies and numbers of replicas that
 * it set, where they are still those that it set, and by {@link Mover#undo} its moves.
 */
public final class Undo implements MoverJob {
  /** The name under which the journal has its decisions. */
  private static final String UNDO = "undo";

  private static final String GONE = "it was deleted or renamed since";

  private final MoverCluster cluster;
  private final PastRun run;
  private final Map<String, Left> left = new LinkedHashMap<>();
  private final Map<String, String> restored = new HashMap<>();
  private final List<JournalEntry.Policy> policies = new ArrayList<>();
  private final List<JournalEntry.Access> accesses = new ArrayList<>();
  private final Map<Long, JournalEntry.StoragePolicy> storagePolicies = new LinkedHashMap<>();
  private long files;

  /** Policies and access strategies that HDFS did not take back. */
  private long policiesRefused;

  /** Empty as long as it is a plan. */
  private Optional<UndoMarks> marksOfMoves = Optional.empty();

  /** Looks what can be taken back; nothing is changed. */
  public Undo(MoverCluster cluster, PastRun run) throws IOException {
    this.cluster = cluster;
    this.run = run;
    run.read(
        step -> {
          if (step.mayBeMade()) {
            look(step.entry());
          }
        });
  }

  private void look(JournalEntry made) throws IOException {
    if (made instanceof JournalEntry.Policy policy) {
      look(policy);
    } else if (made instanceof JournalEntry.Access access) {
      look(access);
    } else if (made instanceof JournalEntry.Replicas replicas) {
      look(replicas);
    } else if (made instanceof JournalEntry.StoragePolicy policy) {
      look(policy);
    } else if (made instanceof JournalEntry.Store stored) {
      leave(
          "'tierwise secondary recall' or 'offload' takes back what went to a store or from it",
          stored.file(),
          stored.bytes());
    }
  }

  private void look(JournalEntry.Policy policy) throws IOException {
    DistributedFileSystem fs = cluster.fs();
    if (leftAsGone(policy.path(), policy.fileId())) {
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

  private void look(JournalEntry.Access access) throws IOException {
    if (leftAsGone(access.path(), access.fileId())) {
      return;
    }
    String now = JournaledChanges.ownAccess(cluster.fs(), access.path());
    if (Objects.equals(now, access.after())) {
      accesses.add(access);
    } else if (!Objects.equals(now, access.before())) {
      leave(
          now == null
              ? "its access strategy was removed since"
              : "its access strategy was changed since, to " + now,
          access.path(),
          0);
    }
  }

  /** Whether the path stands for another file by now, or none; that is left. */
  private boolean leftAsGone(String path, long fileId) throws IOException {
    HdfsFileStatus status = cluster.fs().getClient().getFileInfo(path);
    boolean gone = status == null || status.getFileId() != fileId;
    if (gone) {
      leave(GONE, path, 0);
    }
    return gone;
  }

  private void look(JournalEntry.StoragePolicy policy) throws IOException {
    if (leftAsGone(policy.file(), policy.fileId())) {
      return;
    }
    String now = StoragePolicies.inForce(cluster.fs(), policy.file());
    if (now.equals(policy.after())) {
      storagePolicies.put(
          policy.fileId(),
          new JournalEntry.StoragePolicy(policy.file(), policy.fileId(), now, policy.before()));
    } else if (!now.equals(policy.before())) {
      leave("its storage policy was changed since, to " + now, policy.file(), 0);
    }
  }

  private void look(JournalEntry.Replicas file) throws IOException {
    HdfsFileStatus status = statusOf(file);
    if (status == null) {
      leave("its file was deleted or renamed since", file.file(), 0);
    } else if (status.getReplication() == file.after()) {
      files++;
    } else if (status.getReplication() != file.before()) {
      leave("its file's number of replicas was changed since", file.file(), status.getLen());
    }
  }

  /** Null when the file is gone, or has another name. */
  private HdfsFileStatus statusOf(JournalEntry.Replicas file) throws IOException {
    HdfsFileStatus status = cluster.fs().getClient().getFileInfo(file.file());
    return status == null || status.getFileId() != file.fileId() ? null : status;
  }

  private void leave(String reason, String path, long bytes) {
    left.merge(
        reason,
        new Left(reason, false, new Amount(1, bytes), path),
        (old, more) -> new Left(reason, false, old.amount().plus(1, bytes), old.example()));
  }

  /** The moves of the run, to be taken back after or together with its policies. */
  BlockIntake.Source moves() {
    Map<Long, String> ofFiles = new HashMap<>();
    storagePolicies.forEach((id, policy) -> ofFiles.put(id, policy.after()));
    return new UndoMoves(cluster, run, restored, ofFiles, marksOfMoves);
  }

  /** Whether the run moved any replica. */
  public boolean hasMoves() {
    return run.moves() > 0;
  }

  @Override
  public MoverReport plan(MoverSettings settings) throws IOException {
    return Mover.planUndo(cluster, settings, this);
  }

  @Override
  public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
      throws IOException {
    apply(journal);
    return mover.undo(this, progress);
  }

  /** Takes a run back that moved nothing, which needs no lock; the id of this run. */
  public String change(JobRun.Start start) throws IOException {
    try (JournalRun journal = start.begin()) {
      apply(journal);
      List<JournalEntry.Left> stays = changesLeft().stream().map(Left::journaled).toList();
      journal.append(new JournalEntry.End(changes(), 0, stays, false));
      return journal.id();
    }
  }

  /** Policies and files' numbers of replicas that are, or would be, taken back. */
  @Override
  public long changes() {
    return policyCount() + files;
  }

  /** Policies, access strategies and storage policies. */
  private long policyCount() {
    return policies.size() + accesses.size() + storagePolicies.size() - policiesRefused;
  }

  /** The changes that cannot be taken back, by reason; the amounts are files and directories. */
  @Override
  public List<Left> changesLeft() {
    return List.copyOf(left.values());
  }

  /**
   * Reports what was, or would be, taken back.
   *
   * @param id of this run in the journal; null when nothing was changed
   * @param moves null when the run moved nothing
   */
  public UndoReport report(String id, MoverReport moves) {
    return new UndoReport(id, run.begin().id(), policyCount(), files, changesLeft(), moves);
  }

  /** Takes it back: policies first, so that HDFS knows which replicas go. */
  public void apply(JournalRun journal) throws IOException {
    UndoMarks marks = new UndoMarks(cluster.fs(), run);
    List<IOException> refused = new ArrayList<>(1);
    JournaledChanges changes =
        JournaledChanges.on(
            cluster,
            journal,
            marks::replicas,
            (file, why) -> {
              leave(whyLeft(why), file.file(), 0);
              marks.refused(file.fileId());
              files--;
              if (refused.isEmpty() && !(why instanceof FileNotFoundException)) {
                refused.add(why);
              }
            });
    for (JournalEntry.Policy policy : policies) {
      try {
        changes.policy(policy.path(), policy.before());
      } catch (IOException e) {
        leave(whyLeft(e), policy.path(), 0);
        restored.remove(policy.path());
        policiesRefused++;
      }
    }
    for (JournalEntry.Access access : accesses) {
      try {
        changes.access(access.path(), access.before());
      } catch (IOException e) {
        leave(whyLeft(e), access.path(), 0);
        policiesRefused++;
      }
    }
    changes.storagePolicies(
        List.copyOf(storagePolicies.values()),
        (policy, why) -> {
          leave(whyLeft(why), policy.file(), 0);
          storagePolicies.remove(policy.fileId());
        });
    // They are read again rather than kept: a run may have changed a million files.
    run.read(
        step -> {
          if (step.mayBeMade() && step.entry() instanceof JournalEntry.Replicas file) {
            takeBack(file, changes);
          }
        });
    changes.flush();
    if (changes.done() == 0 && !refused.isEmpty()) {
      throw refused.get(0); // As of a user who may change none of it.
    }
    marksOfMoves = Optional.of(marks);
  }

  /**
   * @throws IOException the same, where it is about more than one path
   */
  private static String whyLeft(IOException why) throws IOException {
    if (why instanceof FileNotFoundException) {
      return GONE;
    }
    return PathRefusal.of(why).orElseThrow(() -> why);
  }

  private void takeBack(JournalEntry.Replicas file, JournaledChanges changes) throws IOException {
    HdfsFileStatus status = statusOf(file);
    if (status != null && status.getReplication() == file.after()) {
      String rule = "as many as before run " + run.begin().id();
      SetReplicas asked = new SetReplicas(UNDO, rule, file.before(), Cost.NONE);
      changes.replicas(file.file(), file.fileId(), file.after(), asked);
    }
  }
}
