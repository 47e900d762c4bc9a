package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Changes of several paths that are made in one run; HDFS then copies and drops by itself. */
public record LayoutChanges(FileTiers tiers, List<FileTiers.Change> changes) {
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
   *     nobody waited, or when it is not known
   * @param unknown why it is not known; null when it is
   * @param left files that HDFS refused to change
   */
  public record Made(String id, Long blocksPending, String unknown, List<LeftOut> left) {
    public Made {
      left = List.copyOf(left);
    }

    /** Whether files stay as they are, or a wait ended before it was known that all is done. */
    public boolean isUndone() {
      return !left.isEmpty() || unknown != null || (blocksPending != null && blocksPending > 0);
    }

    /** The end of a wait, for people; null when nobody waited. */
    public String waited(int seconds) {
      if (unknown != null) {
        return "it is not known whether all blocks have their replicas: " + unknown;
      }
      return blocksPending == null ? null : LayoutChanges.waited(blocksPending, seconds);
    }
  }

  /** Makes them. */
  public Made apply(JobRun.Start start) throws IOException {
    try (JournalRun run = start.begin()) {
      long done = 0;
      List<LeftOut> left = new ArrayList<>();
      for (FileTiers.Change change : changes) {
        LayoutWork work = new LayoutWork(tiers, change);
        done += work.make(run, JournaledChanges.Check.NONE);
        left.addAll(work.left());
      }
      run.append(
          new JournalEntry.End(done, 0, left.stream().map(LeftOut::journaled).toList(), false));
      return new Made(run.id(), null, null, left);
    }
  }

  /**
   * Waits until HDFS has dropped what an earlier change left over: a block with a replica that goes
   * and one that has yet to come has the right number of them, and would be taken for done.
   *
   * @param end by {@link System#nanoTime}
   * @param listener told how far it is, where there is something to wait for
   * @return whether there was something to wait for: others may have changed the files meanwhile,
   *     and the changes are to be made out again
   * @throws OperatorException when HDFS does not get that done
   */
  public boolean awaitEarlier(long end, int secondsMax, Listener listener) throws IOException {
    WaitProgress progress = new WaitProgress(listener, "HDFS drops what an earlier change left");
    HdfsWait.Left left = await(BlocksPending::tooMany, end, progress);
    // Nobody can wait for what an older plug-in does not tell; the end of the change says so.
    if (left.unknown() != null && !left.isOfOlderPlugin()) {
      throw left.unknown();
    }
    long tooMany = left.blocks();
    if (tooMany > 0) {
      throw OperatorException.cluster(
          Words.count(tooMany, "block")
              + " had a replica too many for "
              + secondsMax
              + " s, of an earlier change that HDFS has yet to do: nothing was changed (try again"
              + " later, or without a wait)",
          null);
    }
    return left.waited();
  }

  /**
   * Makes them, and waits until all blocks have as many replicas as they should.
   *
   * @param end of the wait, by {@link System#nanoTime}
   * @param listener told how far it is
   */
  public Made applyAndWait(JobRun.Start start, long end, Listener listener) throws IOException {
    Made made = apply(start);
    WaitProgress progress = new WaitProgress(listener, "HDFS copies and drops");
    HdfsWait.Left left = await(BlocksPending::all, end, progress);
    return left.unknown() == null
        ? new Made(made.id(), left.blocks(), null, made.left())
        : new Made(made.id(), null, firstLine(left.unknown()), made.left());
  }

  /**
   * What HDFS will make of them; nothing is changed.
   *
   * @throws OperatorException when this user may not list the cluster's volumes
   */
  ChangeForecast forecast() throws IOException {
    return ChangeForecaster.of(tiers.cluster(), changes);
  }

  private static String firstLine(IOException why) {
    return String.valueOf(why.getMessage()).lines().findFirst().orElse("no reason given");
  }

  private HdfsWait.Left await(ToLongFunction<BlocksPending> count, long end, WaitProgress progress)
      throws IOException {
    List<String> paths = changes.stream().map(FileTiers.Change::path).toList();
    ReplicasGoing going = new ReplicasGoing(tiers.cluster(), paths);
    HdfsWait.Left left = HdfsWait.real().until(end, () -> progress.left(left(count, paths, going)));
    progress.finish();
    return left;
  }

  private long left(ToLongFunction<BlocksPending> count, List<String> paths, ReplicasGoing going)
      throws IOException {
    boolean some = going.maybeSome();
    long seen = seen(count, paths);
    if (seen > 0 || !some) {
      return seen;
    }
    long goes = going.count();
    // HDFS may have dropped a replica between the two questions: its block may lack one now.
    return goes > 0 ? goes : seen(count, paths);
  }

  private long seen(ToLongFunction<BlocksPending> count, List<String> paths) throws IOException {
    long sum = 0;
    for (String path : paths) {
      sum += count.applyAsLong(BlocksPending.below(tiers.cluster().fs(), path));
    }
    return sum;
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
