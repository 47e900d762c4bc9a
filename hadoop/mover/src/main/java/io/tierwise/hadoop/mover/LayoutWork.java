package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.ReasonGroups;
import io.tierwise.hadoop.mover.FileTiers.Change;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Makes a change of a path's layout: the policy, and then the files. It goes on for as long as the
 * policy stays the one that it set: of two changes at once the later one is made as a whole. A file
 * that HDFS does not change, as one that others own, is left out.
 */
final class LayoutWork {
  private final FileTiers tiers;
  private final Change change;
  private final ReasonGroups groups = new ReasonGroups();
  private final Map<String, LeftOut> left = new LinkedHashMap<>();

  LayoutWork(FileTiers tiers, Change change) {
    this.tiers = tiers;
    this.change = change;
  }

  /**
   * Makes it, as {@link FileTiers#apply}.
   *
   * @param onlooker asked before each few hundred files
   */
  long make(JournalRun journal, JournaledChanges.Check onlooker) throws IOException {
    requireUnder(change.before(), change.after());
    DistributedFileSystem fs = tiers.cluster().fs();
    JournaledChanges changes =
        JournaledChanges.on(
                tiers.cluster(), journal, JournaledChanges.Before.NOTHING, this::refused)
            .asking(
                () -> {
                  onlooker.ask();
                  requireUnder(change.after());
                });
    changes.policy(change.path(), change.after());
    FilesBelow.walk(
        fs,
        change.path(),
        false,
        (path, status) -> {
          int after = change.replicasAfter(status.getReplication());
          if (status.getReplication() != after) {
            changes.replicas(
                path, status.getFileId(), status.getReplication(), change.asked(after));
          }
        });
    changes.flush();
    return changes.done();
  }

  /** The files that stay as they are. */
  List<LeftOut> left() {
    return List.copyOf(left.values());
  }

  /**
   * @throws IOException the same, where it is about more than this file, or there is no other
   */
  private void refused(JournalEntry.Replicas file, IOException why) throws IOException {
    if (why instanceof FileNotFoundException) {
      return; // It was deleted meanwhile.
    }
    String reason = file.file().equals(change.path()) ? null : PathRefusal.of(why).orElse(null);
    if (reason == null) {
      throw why;
    }
    String first = groups.of(reason, file.file());
    String told = groups.isFull() && !left.containsKey(first) ? ReasonGroups.OTHERS : first;
    left.merge(told, new LeftOut(told, 1, file.file()), LeftOut::plus);
  }

  private void requireUnder(String... allowed) throws IOException {
    requireUnder(tiers, change.path(), allowed);
  }

  /**
   * Refuses a change that somebody else overtook.
   *
   * @param allowed the policies that may hold at the path; null for stock HDFS
   */
  static void requireUnder(FileTiers tiers, String path, String... allowed) throws IOException {
    String now = tiers.specificationOf(path).orElse(null);
    if (!Arrays.asList(allowed).contains(now)) {
      throw OperatorException.cluster(
          path
              + " is under "
              + (now == null ? "stock HDFS" : now)
              + " meanwhile: it was left as it is (try again)",
          null);
    }
  }
}
