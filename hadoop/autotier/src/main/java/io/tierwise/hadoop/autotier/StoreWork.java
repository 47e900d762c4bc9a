package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.hadoop.secondary.PrimaryFile;
import io.tierwise.hadoop.secondary.SecondaryReport;
import io.tierwise.hadoop.secondary.SecondaryRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The part of a round that moves files to the secondary store and back. */
final class StoreWork {
  private final Cluster cluster;
  private final StoreRuns runs;
  private final TierMoveRuns.Begin begin;
  private final LeftFiles left;
  private final Ends ends;
  private final InstantSource clock = InstantSource.system();

  /** By path, why unpopular files that are to go are needed by now. */
  private final Map<String, String> needed = new ConcurrentHashMap<>();

  private long offloadedFiles;
  private long offloadedBytes;
  private long recalledFiles;
  private long recalledBytes;

  /** Where files are, and where it is written down what becomes of them. */
  record Cluster(MoverCluster mover, AutotierSettings settings, Journal journal) {}

  /** Why the round may end. */
  interface Ends {
    /** Whether nobody waits for its rest. */
    boolean isStopped();

    /** False, too, when the NameNode cannot be asked. */
    boolean holdsLease();
  }

  /**
   * @param begin begins a run of the journal
   * @param left is told of files that stay
   */
  StoreWork(Cluster cluster, StoreRuns runs, TierMoveRuns.Begin begin, LeftFiles left, Ends ends) {
    this.cluster = cluster;
    this.runs = runs;
    this.begin = begin;
    this.left = left;
    this.ends = ends;
  }

  /** An unpopular file is needed for that reason, and stays; from any thread. */
  void needs(String path, String why) {
    needed.put(path, why);
  }

  long offloadedFiles() {
    return offloadedFiles;
  }

  long offloadedBytes() {
    return offloadedBytes;
  }

  long recalledFiles() {
    return recalledFiles;
  }

  long recalledBytes() {
    return recalledBytes;
  }

  /** One run of the secondary store, which asks for the lease as often as it may end. */
  void make(StoreMove move) throws IOException {
    long begunNanos = System.nanoTime();
    List<String> ids = new CopyOnWriteArrayList<>();
    try {
      Optional<SecondaryReport> made =
          runs.make(
              cluster.mover(),
              ended ->
                  new StoreMoves(cluster.mover(), cluster.settings())
                      .make(
                          move,
                          file -> whyNotNow(move, file, begunNanos),
                          runs.quotas(),
                          () -> {
                            if (ended.getAsBoolean()) {
                              throw new InterruptedIOException("stopped");
                            }
                            JournalRun run = begin.begin(move.paths(), move.to());
                            ids.add(run.id());
                            return run;
                          },
                          ended),
              () -> ends.isStopped() || !ends.holdsLease(),
              ends::isStopped);
      if (made.isEmpty()) {
        countJournaled(move, ids);
        return;
      }
      SecondaryReport report = made.get();
      count(move, report.files(), report.bytes());
      for (SecondaryReport.Left one : report.left()) {
        left.add(move.by() + ": " + one.reason(), one.files(), one.example());
      }
    } catch (OperatorException e) {
      long before = offloadedFiles + recalledFiles;
      countJournaled(move, ids);
      List<String> paths = new ArrayList<>(move.paths());
      long stay = paths.size() - (offloadedFiles + recalledFiles - before);
      left.add(move.by() + ": " + e.getMessage(), stay, paths.get(paths.size() - 1));
    }
  }

  /** What a run did that was given up, of which nobody tells. */
  private void countJournaled(StoreMove move, List<String> ids) {
    for (String id : ids) {
      PastRun.read(cluster.journal(), id)
          .read(
              step -> {
                if (step.done() && step.entry() instanceof JournalEntry.Store file) {
                  count(move, 1, file.bytes());
                }
              });
    }
  }

  private void count(StoreMove move, long files, long bytes) {
    if (move.kind() == SecondaryRun.Kind.RECALL) {
      recalledFiles += files;
      recalledBytes += bytes;
    } else {
      offloadedFiles += files;
      offloadedBytes += bytes;
    }
  }

  /**
   * A run may take long: somebody may read or write files meanwhile that nobody did before, and
   * until it is over nothing is decided about all others.
   */
  private Optional<String> whyNotNow(StoreMove move, PrimaryFile file, long begunNanos) {
    if (!StoreMove.isOfUnpopular(move.to())) {
      return Optional.empty();
    }
    if (System.nanoTime() - begunNanos
        > TimeUnit.MILLISECONDS.toNanos(cluster.settings().windowMillis())) {
      return Optional.of("the window is over, and the next round goes on");
    }
    long ageMillis = clock.millis() - file.status().getModificationTime();
    return cluster.settings().unreadFor().filter(time -> ageMillis < time.toMillis()).isPresent()
        ? Optional.of("it was written since it was planned")
        : Optional.ofNullable(needed.get(file.path()));
  }
}
