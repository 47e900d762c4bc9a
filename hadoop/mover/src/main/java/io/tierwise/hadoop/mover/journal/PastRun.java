package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.OperatorException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run as its journal has it, with all of its steps.
 *
 * @param steps moves and changes in the order in which they were decided
 * @param cut whether the last line is cut: its step did not start
 */
public record PastRun(JournalEntry.Begin begin, List<Step> steps, boolean cut) {
  public PastRun {
    steps = List.copyOf(steps);
  }

  /**
   * A move or a change, and what became of it.
   *
   * @param number of its line
   * @param result null when none was written: it may have been made or not
   */
  public record Step(
      long number, Instant time, JournalEntry entry, JournalEntry.Result result, Instant ended) {
    /** Whether it is known that it was made. */
    public boolean done() {
      return result != null && result.reason() == null;
    }
  }

  /** Reads a run whole. */
  public static PastRun read(Journal journal, String id) {
    Map<Long, Step> steps = new LinkedHashMap<>();
    List<JournalEntry.Begin> begin = new ArrayList<>();
    boolean cut =
        journal.read(
            id,
            line -> {
              if (line.entry() instanceof JournalEntry.Result result) {
                steps.computeIfPresent(
                    result.of(),
                    (number, step) ->
                        new Step(number, step.time(), step.entry(), result, line.time()));
              } else if (line.entry() instanceof JournalEntry.Begin first) {
                begin.add(first);
              } else if (!(line.entry() instanceof JournalEntry.End)) {
                steps.put(
                    line.number(), new Step(line.number(), line.time(), line.entry(), null, null));
              }
            });
    return new PastRun(begin.get(0), List.copyOf(steps.values()), cut);
  }

  /**
   * Refuses another cluster than that of the run.
   *
   * @param cluster the URI of its file system
   */
  public void requireCluster(String cluster) {
    if (!cluster.equals(begin.cluster())) {
      throw OperatorException.badInput(
          begin.id()
              + " is of the cluster "
              + begin.cluster()
              + ", not of "
              + cluster
              + ": give --fs");
    }
  }

  /** The remark about a run whose last line is cut. */
  public Optional<String> cutRemark() {
    return cut
        ? Optional.of(
            "the last line of " + begin.id() + " is cut: what it was about had not started")
        : Optional.empty();
  }

  /** The steps of one kind. */
  public <E extends JournalEntry> List<Step> steps(Class<E> kind) {
    return steps.stream().filter(step -> kind.isInstance(step.entry())).toList();
  }
}
