package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The files that a daemon sent to the secondary store since they were unpopular, or brought back,
 * and that nobody else has moved since, as far as the journal tells. By path: ids change on the
 * way, and a journal does not tell the new one.
 */
final class SentFiles {
  /** How the journal calls runs of people, who have the last word. */
  private static final Set<String> OF_PEOPLE = Set.of("secondary offload", "secondary recall");

  private final Map<String, Move> last = new HashMap<>();

  /** Runs of people that are over, and need not be read again. */
  private final Set<String> over = new HashSet<>();

  /** The latest move of a daemon. One runs at a time, and their runs are read in their order. */
  private Instant latest = Instant.MIN;

  private enum What {
    SENT,
    /** A daemon was killed on the way: the file may be at either end. */
    COMING,
    BACK,
    /** A rule moved it, or a person. */
    OF_OTHERS
  }

  /**
   * A move of a file.
   *
   * @param run that made it
   */
  private record Move(Instant time, What what, String run) {}

  /** Takes in what a run did; runs of people may be taken in again while they go on. */
  void add(PastRun run) {
    String to = run.begin().to();
    boolean isOfPeople = isOfPeople(run.begin());
    run.read(
        step -> {
          if (step.mayBeMade() && step.entry() instanceof JournalEntry.Store store) {
            Instant time = isOfPeople ? step.time() : notBefore(step.time());
            What done = what(isOfPeople ? "" : to, step.done());
            add(store.file(), new Move(time, done, run.begin().id()));
          }
        });
    if (!isOfPeople) {
      // No daemon's move that is read from now on is an earlier one, and people's say the same.
      last.values().removeIf(move -> move.what() == What.OF_OTHERS && !move.time().isAfter(latest));
    }
  }

  /** By a clock that was set back, a later move of a daemon is no earlier one. */
  private Instant notBefore(Instant time) {
    latest = time.isBefore(latest) ? latest : time;
    return latest;
  }

  private static What what(String to, boolean done) {
    if (StoreMove.isOfUnpopular(to)) {
      return What.SENT;
    }
    if (!StoreMove.isOfReadAgain(to)) {
      return What.OF_OTHERS;
    }
    return done ? What.BACK : What.COMING;
  }

  private void add(String path, Move move) {
    Move before = last.get(path);
    // Of files that no daemon sent, nothing need be known.
    if (before == null ? move.what() != What.OF_OTHERS : !move.time().isBefore(before.time())) {
      last.put(path, move);
    }
  }

  static boolean isOfPeople(JournalEntry.Begin begin) {
    return OF_PEOPLE.contains(begin.command());
  }

  /**
   * Takes in what people have moved since the last time.
   *
   * @param say is told a line about a run that cannot be read, once
   */
  void addOfPeople(Journal journal, ClusterUri cluster, Consumer<String> say) {
    List<String> runs = journal.runs();
    forgetOthersThan(runs);
    for (String id : runs) {
      if (over.contains(id)) {
        continue;
      }
      try {
        JournalEntry.Begin begin = journal.beginOf(id);
        if (!isOfPeople(begin) || !cluster.is(begin.cluster())) {
          over.add(id);
          continue;
        }
        PastRun run = PastRun.read(journal, id);
        if (run.isOver()) {
          over.add(id);
        }
        add(run);
      } catch (OperatorException e) {
        over.add(id);
        say.accept(
            e.getMessage()
                + ": autotier goes on without it, and takes files that it moved for files that"
                + " nobody has moved since");
      }
    }
  }

  /** What was removed from the journal; a journal that is away for a while has no runs at all. */
  private void forgetOthersThan(List<String> runs) {
    Set<String> there = new HashSet<>(runs);
    if (!there.isEmpty()) {
      over.retainAll(there);
      last.values().removeIf(move -> !there.contains(move.run()));
    }
  }

  /** The number of files of which something is remembered. */
  int files() {
    return last.size();
  }

  /** Whether a daemon sent the file of that path since it was unpopular, and it is there still. */
  boolean sentUnpopular(String path) {
    return is(path, What.SENT);
  }

  /** Whether it was a daemon that brought it back the last time. */
  boolean broughtBack(String path) {
    return is(path, What.BACK);
  }

  private boolean is(String path, What what) {
    Move move = last.get(path);
    return move != null && (move.what() == what || move.what() == What.COMING);
  }
}
