package io.tierwise.hadoop.autotier;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last number of replicas that the daemon gave each file, by the journal: what it remembers
 * over its own end. What {@code undo} took back counts as a change, too, so that it is held.
 */
final class LastChanges {
  /** How the journal calls runs of the daemon. */
  static final String COMMAND = "autotier run";

  private final Map<Long, Change> byFile = new HashMap<>();
  private final Map<Long, Placed> placed = new HashMap<>();

  /**
   * A change.
   *
   * @param replicas that the file got
   */
  record Change(int replicas, double seconds) {}

  /**
   * A file of which a replica was moved.
   *
   * @param tier where to, the last time
   */
  record Placed(String path, long bytes, String tier, double seconds) {}

  /** Reads the runs of this cluster. */
  static LastChanges of(Journal journal, String cluster) {
    LastChanges changes = new LastChanges();
    Map<String, PastRun> ours = new HashMap<>();
    for (String id : journal.runs()) {
      PastRun run = PastRun.read(journal, id);
      boolean undoes = ours.containsKey(String.valueOf(run.begin().undoes()));
      if (run.begin().cluster().equals(cluster)
          && (run.begin().command().equals(COMMAND) || undoes)) {
        ours.put(id, run);
        changes.add(run);
      }
    }
    return changes;
  }

  /** Takes in what a run did. */
  void add(PastRun run) {
    for (PastRun.Step step : run.steps()) {
      double seconds = step.time().toEpochMilli() / 1e3;
      // A step without a result may have been made.
      boolean failed = step.result() != null && !step.done();
      if (!failed && step.entry() instanceof JournalEntry.Replicas entry) {
        made(entry.fileId(), entry.after(), seconds);
      } else if (!failed && step.entry() instanceof JournalEntry.Moving move) {
        placed.put(
            move.fileId(),
            new Placed(move.file(), move.fileBytes(), String.valueOf(move.to().tier()), seconds));
      }
    }
  }

  /** The files whose last move went to the tier, by id. */
  Map<Long, Placed> placedIn(String tier) {
    Map<Long, Placed> there = new TreeMap<>();
    placed.forEach(
        (file, last) -> {
          if (last.tier().equals(tier)) {
            there.put(file, last);
          }
        });
    return there;
  }

  void made(long fileId, int replicas, double seconds) {
    byFile.put(fileId, new Change(replicas, seconds));
  }

  /** Whether the file has the number that the daemon gave it. */
  boolean isOurs(long fileId, int replicas) {
    Change change = byFile.get(fileId);
    return change != null && change.replicas() == replicas;
  }

  /** The time at which the daemon gave the file that number; long ago if it never did. */
  double seconds(long fileId, int replicas) {
    return isOurs(fileId, replicas) ? byFile.get(fileId).seconds() : Double.NEGATIVE_INFINITY;
  }
}
