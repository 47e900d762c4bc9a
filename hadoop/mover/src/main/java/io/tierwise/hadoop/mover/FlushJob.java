package io.tierwise.hadoop.mover;

import io.tierwise.core.action.Cost;
import io.tierwise.core.action.SetReplicas;
import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.MoverReport.Amount;
import io.tierwise.hadoop.mover.MoverReport.Left;
import io.tierwise.hadoop.mover.journal.JournalEntry;
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
 * meanwhile: one that is gone, or another one by now, is left out, and so is one that HDFS does not
 * change, as for its many attributes. Once only.
 */
final class FlushJob implements MoverJob {
  private static final String DELETED = "it was deleted meanwhile";
  private static final String CHANGED = "it was changed meanwhile";
  private static final String RULE = "its surplus replicas go: room is needed";

  private final MoverCluster cluster;
  private final List<Drop> drops;
  private final List<Relayout> relayouts;
  private final Map<String, Left> left = new LinkedHashMap<>();
  private long done;

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

  /**
   * A file that gets another layout.
   *
   * @param before the policy that it is under
   * @param policy the one that was made of that
   */
  record Relayout(String path, long fileId, String before, String policy) {}

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
    return List.copyOf(left.values());
  }

  @Override
  public MoverReport run(Mover mover, JournalRun journal, Listener.Step progress)
      throws IOException {
    JournaledChanges changes =
        JournaledChanges.on(cluster, journal, this::requirePlanned, this::refused);
    for (Drop drop : drops) {
      HdfsFileStatus now = cluster.fs().getClient().getFileInfo(drop.path());
      if (isIt(now, drop.fileId()) && now.getReplication() == drop.before()) {
        changes.replicas(drop.path(), drop.fileId(), drop.before(), drop.asked());
      } else {
        leave(drop.path(), isIt(now, drop.fileId()));
      }
    }
    changes.flush();
    Map<String, Long> toMove = new LinkedHashMap<>();
    for (Relayout one : relayouts) {
      if (change(one, changes)) {
        toMove.put(one.path(), one.fileId());
      }
    }
    done = changes.done();
    MoveOrder order = new MoveOrder(List.copyOf(toMove.keySet()), Optional.empty()).only(toMove);
    return mover.run(order, progress);
  }

  private boolean change(Relayout one, JournaledChanges changes) throws IOException {
    boolean there = isIt(cluster.fs().getClient().getFileInfo(one.path()), one.fileId());
    if (!there || !isUnder(one.path(), one.before())) {
      leave(one.path(), there);
      return false;
    }
    try {
      changes.policy(one.path(), one.fileId(), one.policy());
      return true;
    } catch (IOException e) {
      leave(one.path(), e);
      return false;
    }
  }

  /** Right before it drops them: others write and change policies all the time. */
  private void requirePlanned(JournalEntry.Replicas change) throws IOException {
    if (!isUnder(change.file(), change.policy())) {
      throw new Overtaken();
    }
  }

  private void refused(JournalEntry.Replicas change, IOException why) throws IOException {
    if (why instanceof Overtaken) {
      leave(change.file(), true);
    } else {
      leave(change.file(), why);
    }
  }

  /** The file is under another policy than the plan was made of. */
  private static final class Overtaken extends IOException {
    private static final long serialVersionUID = 1L;

    Overtaken() {
      super(CHANGED);
    }
  }

  /** Whether the policy that the plan was made of still holds. */
  private boolean isUnder(String path, String policy) throws IOException {
    return FlushWalk.policyOf(cluster, path).filter(policy::equals).isPresent();
  }

  private static boolean isIt(HdfsFileStatus now, long fileId) {
    return now != null && now.getFileId() == fileId;
  }

  /**
   * @param there whether it still is, and takes its room
   */
  private void leave(String path, boolean there) {
    leave(path, there, there ? CHANGED : DELETED);
  }

  /**
   * @throws IOException the same, where it is about more than this file
   */
  private void leave(String path, IOException why) throws IOException {
    if (why instanceof FileNotFoundException) {
      leave(path, false);
      return;
    }
    Optional<String> reason = PathRefusal.of(why);
    if (reason.isEmpty()) {
      throw why;
    }
    leave(path, true, reason.get());
  }

  private void leave(String path, boolean there, String reason) {
    left.merge(
        reason,
        new Left(reason, there, new Amount(1, 0), path),
        (old, more) -> new Left(reason, there, old.amount().plus(1, 0), old.example()));
  }
}
