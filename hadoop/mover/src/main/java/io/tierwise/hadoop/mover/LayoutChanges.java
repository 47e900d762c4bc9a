package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Changes of several paths that are made in one run; HDFS then copies and drops by itself. */
public record LayoutChanges(FileTiers tiers, List<FileTiers.Change> changes) {
  private static final long POLL_MILLIS = 500;

  public LayoutChanges {
    changes = List.copyOf(changes);
  }

  /** A verb: the change that it makes at a path. */
  @FunctionalInterface
  public interface Verb {
    FileTiers.Change at(MoverCluster cluster, String path) throws IOException;
  }

  /** The changes that a verb makes at each path; nothing is changed. */
  public static LayoutChanges of(MoverCluster cluster, StoredFiles files, Verb verb)
      throws IOException {
    FileTiers tiers = new FileTiers(cluster);
    files.requireNoRoot();
    List<FileTiers.Change> changes = new ArrayList<>();
    for (String path : files.plainPaths()) {
      changes.add(verb.at(cluster, path));
    }
    return new LayoutChanges(tiers, changes);
  }

  /** Makes them; the id of the run in the journal. */
  public String apply(JobRun.Start start) throws IOException {
    try (JournalRun run = start.begin()) {
      long done = 0;
      for (FileTiers.Change change : changes) {
        done += tiers.apply(change, run);
      }
      run.append(new JournalEntry.End(done, 0, List.of(), false));
      return run.id();
    }
  }

  /**
   * Waits until all blocks have as many replicas as they should.
   *
   * @param secondsMax to wait
   * @return blocks that have too many or too few then
   */
  public long awaitReplicas(int secondsMax) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(secondsMax);
    long pending = pending();
    while (pending > 0 && System.nanoTime() < end) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("ended while it waited");
      }
      pending = pending();
    }
    return pending;
  }

  /**
   * The end of a wait, for people.
   *
   * @param pending blocks that had too many or too few replicas then
   */
  public static String waited(long pending, int seconds) {
    return pending == 0
        ? "all blocks have their replicas"
        : Words.count(pending, "block")
            + " had too many or too few replicas after "
            + seconds
            + " s";
  }

  private long pending() throws IOException {
    long sum = 0;
    for (FileTiers.Change change : changes) {
      sum += tiers.blocksPending(change.path());
    }
    return sum;
  }
}
