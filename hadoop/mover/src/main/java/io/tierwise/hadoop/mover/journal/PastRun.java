package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;

/**
 * A run as its journal has it. Its steps are read from the file whenever they are asked for; memory
 * holds {@linkplain StepEnds what became of each}, and nothing else grows with their number.
 */
public final class PastRun {
  private final Journal journal;
  private final JournalEntry.Begin begin;
  private final StepEnds ends;
  private final boolean cut;
  private final boolean over;
  private final long moves;

  private PastRun(
      Journal journal,
      JournalEntry.Begin begin,
      StepEnds ends,
      boolean cut,
      boolean over,
      long moves) {
    this.journal = journal;
    this.begin = begin;
    this.ends = ends;
    this.cut = cut;
    this.over = over;
    this.moves = moves;
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

    /** Whether it was made, as far as is known. */
    public boolean mayBeMade() {
      return result == null || done();
    }
  }

  /** Is handed the steps of a run, one after the other. */
  @FunctionalInterface
  public interface Reader<X extends Exception> {
    void step(Step step) throws X;
  }

  /** Reads how a run began, and how each of its steps ended. */
  public static PastRun read(Journal journal, String id) {
    List<JournalEntry.Begin> begin = new ArrayList<>();
    StepEnds ends = new StepEnds();
    long[] moves = {0};
    boolean[] over = {false};
    boolean cut =
        journal.read(
            id,
            line -> {
              if (line.entry() instanceof JournalEntry.Result result) {
                ends.note(result, line);
              } else if (line.entry() instanceof JournalEntry.Begin first) {
                begin.add(first);
              } else if (line.entry() instanceof JournalEntry.Moving) {
                moves[0]++;
              } else if (line.entry() instanceof JournalEntry.End) {
                over[0] = true;
              }
            });
    return new PastRun(journal, begin.get(0), ends, cut, over[0], moves[0]);
  }

  public JournalEntry.Begin begin() {
    return begin;
  }

  /** Whether it had come to its end, so that no step follows those that it has. */
  public boolean isOver() {
    return over;
  }

  /** How many moves it decided. */
  public long moves() {
    return moves;
  }

  /** Reads its steps from the journal, in the order in which they were decided. */
  public <X extends Exception> void read(Reader<X> reader) throws X {
    journal.read(
        begin.id(),
        line -> {
          if (line.isStep()) {
            reader.step(ends.step(line));
          }
        });
  }

  /**
   * Refuses another cluster than that of the run.
   *
   * @param cluster its file system
   */
  public void requireCluster(FileSystem cluster) {
    if (!ClusterUri.of(cluster).is(begin.cluster())) {
      throw OperatorException.badInput(
          begin.id()
              + " is of the cluster "
              + begin.cluster()
              + ", not of "
              + cluster.getUri()
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
}
