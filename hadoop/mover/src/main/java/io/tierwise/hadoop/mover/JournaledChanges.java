package io.tierwise.hadoop.mover;

import io.tierwise.core.action.SetReplicas;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.hadoop.inspect.policy.PolicyChange;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Changes policies, storage policies and numbers of replicas, each written down before it is made.
 */
public final class JournaledChanges {
  /**
   * Own: files whose numbers are written down with one sync, which costs as much as a few calls.
   */
  private static final int FILES_AT_ONCE = 256;

  private final DistributedFileSystem fs;
  private final NameNodePlugin.Answer active;
  private final JournalRun journal;
  private final Before before;
  private final Refusal refusal;
  private final List<JournalEntry.Replicas> waiting = new ArrayList<>();
  private Check check = Check.NONE;
  private long done;

  /** Does what has to be done right before a file's number changes. */
  @FunctionalInterface
  public interface Before {
    /** Nothing. */
    Before NOTHING = change -> {};

    /**
     * It is in the journal.
     *
     * @throws IOException counts as HDFS's refusal
     */
    void changing(JournalEntry.Replicas change) throws IOException;
  }

  /** Asked before numbers are changed, some hundred at once. */
  @FunctionalInterface
  interface Check {
    /** Nothing stands in the way. */
    Check NONE = () -> {};

    /**
     * None of them is in the journal yet.
     *
     * @throws IOException to end the run
     */
    void ask() throws IOException;
  }

  /** Hears of a file whose number HDFS did not change. */
  @FunctionalInterface
  public interface Refusal {
    /**
     * The result is in the journal.
     *
     * @throws IOException to end the run
     */
    void refused(JournalEntry.Replicas change, IOException why) throws IOException;
  }

  /** Ends at the first file that HDFS refuses to change; one that is gone is left out. */
  public JournaledChanges(
      DistributedFileSystem fs, NameNodePlugin.Answer active, JournalRun journal) {
    this(
        fs,
        active,
        journal,
        Before.NOTHING,
        (change, why) -> {
          if (!(why instanceof FileNotFoundException)) {
            throw why;
          }
        });
  }

  private JournaledChanges(
      DistributedFileSystem fs,
      NameNodePlugin.Answer active,
      JournalRun journal,
      Before before,
      Refusal refusal) {
    this.fs = fs;
    this.active = active;
    this.journal = journal;
    this.before = before;
    this.refusal = refusal;
  }

  /** Changes on a cluster, where somebody decides what a refusal means. */
  public static JournaledChanges on(
      MoverCluster cluster, JournalRun journal, Before before, Refusal refusal) {
    return new JournaledChanges(cluster.fs(), cluster.active(), journal, before, refusal);
  }

  /** Has somebody asked before numbers are changed. */
  JournaledChanges asking(Check whether) {
    check = whether;
    return this;
  }

  /** The policy that stands on the path itself; null for none. */
  static String ownPolicy(DistributedFileSystem fs, String path) throws IOException {
    return PathPolicy.ownPlacement(path, fs.getXAttrs(new Path(path)))
        .map(PathPolicy::specification)
        .orElse(null);
  }

  /** The access strategy that stands on the path itself; null for none. */
  static String ownAccess(DistributedFileSystem fs, String path) throws IOException {
    return PathPolicy.ownAccess(path, fs.getXAttrs(new Path(path)))
        .map(PathPolicy::specification)
        .orElse(null);
  }

  /**
   * Lets a policy stand on the path itself, in canonical form; null for none.
   *
   * @throws FileNotFoundException when it is gone
   */
  public void policy(String path, String after) throws IOException {
    String before = ownPolicy(fs, path);
    policy(path, path, idOf(path), before, after);
  }

  private long idOf(String path) throws IOException {
    HdfsFileStatus status = fs.getClient().getFileInfo(path);
    if (status == null) {
      throw new FileNotFoundException(path + " was deleted meanwhile");
    }
    return status.getFileId();
  }

  /**
   * The same of a file by its id: another file may have its name by now.
   *
   * @throws FileNotFoundException when it is gone
   */
  void policy(String path, long fileId, String after) throws IOException {
    String lasting = InodePath.of(fileId);
    policy(path, lasting, fileId, ownPolicy(fs, lasting), after);
  }

  private void policy(String path, String reached, long fileId, String before, String after)
      throws IOException {
    if (Objects.equals(before, after)) {
      return;
    }
    set(
        new JournalEntry.Policy(path, fileId, before, after),
        new Path(reached),
        PathPolicy.PLACEMENT_ATTRIBUTE,
        after);
  }

  /**
   * Lets an access strategy stand on the directory itself, in canonical form; null for none.
   *
   * @throws FileNotFoundException when it is gone
   */
  void access(String path, String after) throws IOException {
    String before = ownAccess(fs, path);
    if (!Objects.equals(before, after)) {
      JournalEntry entry = new JournalEntry.Access(path, idOf(path), before, after);
      set(entry, new Path(path), PathPolicy.ACCESS_ATTRIBUTE, after);
    }
  }

  private void set(JournalEntry entry, Path reached, String attribute, String after)
      throws IOException {
    long number = journal.append(entry);
    journal.sync();
    try {
      if (after == null) {
        boolean access = attribute.equals(PathPolicy.ACCESS_ATTRIBUTE);
        PolicyChange.unset(fs, reached, PolicyChange.attributesOf(!access, access), false);
      } else {
        PolicyChange.set(fs, reached, Map.of(attribute, after), active);
      }
    } catch (IOException e) {
      failed(number, e);
      throw e;
    }
    ended(number);
  }

  /**
   * Writes down that a change was not made, where the NameNode said so. One whose answer was lost
   * stays open in the journal, for it may have been made.
   */
  private void failed(long number, IOException why) {
    if (isAnswer(why)) {
      refused(number, why);
    }
  }

  private void refused(long number, IOException why) {
    // A NameNode's answer has its stack trace behind the first line.
    String line = FailureText.line(FailureText.cause(why));
    journal.append(new JournalEntry.Result(number, line));
  }

  /** Hadoop's client throws what a NameNode answered with the answer as its cause. */
  private static boolean isAnswer(IOException why) {
    return why instanceof FileNotFoundException
        || why instanceof AccessControlException
        || why instanceof RemoteException
        || why.getCause() instanceof RemoteException;
  }

  /** Hears of a file whose storage policy HDFS did not change. */
  @FunctionalInterface
  interface PolicyRefusal {
    /** A move that needs the policy says so of itself. */
    PolicyRefusal PASSED_OVER = (change, why) -> {};

    /**
     * The result is in the journal.
     *
     * @throws IOException to end the run
     */
    void refused(JournalEntry.StoragePolicy change, IOException why) throws IOException;
  }

  /**
   * Changes HDFS's storage policies of files. Where HDFS does not, as for a file that is gone, the
   * journal has why, and the others go on.
   */
  void storagePolicies(List<JournalEntry.StoragePolicy> changes, PolicyRefusal kept)
      throws IOException {
    List<Long> numbers = changes.stream().map(journal::append).toList();
    journal.sync();
    for (int i = 0; i < numbers.size(); i++) {
      try {
        StoragePolicies.set(fs, changes.get(i));
        ended(numbers.get(i));
      } catch (IOException e) {
        failed(numbers.get(i), e);
        kept.refused(changes.get(i), e);
      }
    }
  }

  /** Gives a file another number of replicas, at the latest at {@link #flush}. */
  public void replicas(String path, long fileId, int before, SetReplicas asked) throws IOException {
    waiting.add(JournalEntry.Replicas.of(path, fileId, before, asked));
    if (waiting.size() >= FILES_AT_ONCE) {
      flush();
    }
  }

  /** Makes all changes that wait. */
  public void flush() throws IOException {
    if (!waiting.isEmpty()) {
      check.ask();
    }
    List<Long> numbers = waiting.stream().map(journal::append).toList();
    journal.sync();
    for (int i = 0; i < numbers.size(); i++) {
      JournalEntry.Replicas change = waiting.get(i);
      try {
        before.changing(change);
      } catch (IOException e) {
        refused(numbers.get(i), e);
        refusal.refused(change, e);
        continue;
      }
      try {
        setReplication(change);
      } catch (IOException e) {
        failed(numbers.get(i), e);
        refusal.refused(change, e);
        continue;
      }
      ended(numbers.get(i));
    }
    waiting.clear();
  }

  /** By its id: another file may have its name since it was looked at. */
  private void setReplication(JournalEntry.Replicas change) throws IOException {
    boolean set;
    try {
      set = fs.setReplication(new Path(InodePath.of(change.fileId())), (short) change.after());
    } catch (FileNotFoundException e) {
      set = false;
    }
    if (!set) {
      throw new FileNotFoundException("it is no file any more");
    }
  }

  private void ended(long number) {
    journal.append(new JournalEntry.Result(number, null));
    done++;
  }

  /** The number of changes that were made. */
  public long done() {
    return done;
  }
}
