package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.FileTiers.Change;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Makes a change of a path's layout: the policy, and then the files. It goes on for as long as the
 * policy stays the one that it set: of two changes at once the later one is made as a whole.
 */
final class LayoutWork {
  private final FileTiers tiers;
  private final Change change;

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
        new JournaledChanges(fs, tiers.cluster().active(), journal)
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
