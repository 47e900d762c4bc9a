package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

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

  /**
   * Changes that were made.
   *
   * @param id of the run in the journal
   * @param blocksPending that have too many or too few replicas at the end of a wait; null when
   *     nobody waited
   */
  public record Made(String id, Long blocksPending) {}

  /** Makes them. */
  public Made apply(JobRun.Start start) throws IOException {
    try (JournalRun run = start.begin()) {
      long done = 0;
      for (FileTiers.Change change : changes) {
        done += tiers.apply(change, run);
      }
      run.append(new JournalEntry.End(done, 0, List.of(), false));
      return new Made(run.id(), null);
    }
  }

  /**
   * Waits until HDFS has dropped what an earlier change left over: a block with a replica that goes
   * and one that has yet to come has the right number of them, and would be taken for done.
   *
   * @param end by {@link System#nanoTime}
   * @return whether there was something to wait for: others may have changed the files meanwhile,
   *     and the changes are to be made out again
   * @throws OperatorException when HDFS does not get that done
   */
  public boolean awaitEarlier(long end, int secondsMax) throws IOException {
    if (sum(BlocksPending::tooMany) == 0) {
      return false;
    }
    long tooMany = await(BlocksPending::tooMany, end);
    if (tooMany > 0) {
      throw OperatorException.cluster(
          Words.count(tooMany, "block")
              + " had a replica too many for "
              + secondsMax
              + " s, of an earlier change that HDFS has yet to do: nothing was changed (try again"
              + " later, or without a wait)",
          null);
    }
    return true;
  }

  /**
   * Makes them, and waits until all blocks have as many replicas as they should.
   *
   * @param end of the wait, by {@link System#nanoTime}
   */
  public Made applyAndWait(JobRun.Start start, long end) throws IOException {
    String id = apply(start).id();
    return new Made(id, await(BlocksPending::all, end));
  }

  /** So many blocks are left at the end of the wait. */
  private long await(ToLongFunction<BlocksPending> count, long end) throws IOException {
    long pending = sum(count);
    while (pending > 0 && System.nanoTime() < end) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("ended while it waited");
      }
      pending = sum(count);
    }
    return pending;
  }

  private long sum(ToLongFunction<BlocksPending> count) throws IOException {
    long sum = 0;
    for (FileTiers.Change change : changes) {
      sum += count.applyAsLong(BlocksPending.below(tiers.cluster().fs(), change.path()));
    }
    if (sum > 0) {
      return sum;
    }
    List<String> paths = changes.stream().map(FileTiers.Change::path).toList();
    return ReplicasGoing.below(tiers.cluster(), paths);
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
}
