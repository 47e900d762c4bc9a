package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs of the journal that a profiling left which was killed. Somebody may have taken the files of
 * some away since: nobody can undo those, and they must not keep later profilings from their work.
 *
 * @param known that the journal has
 * @param lost that it has no more
 */
record LeftRuns(List<String> known, List<String> lost, String directory) {
  LeftRuns {
    known = List.copyOf(known);
    lost = List.copyOf(lost);
  }

  static LeftRuns of(Journal journal, List<String> runs) {
    List<String> known = new ArrayList<>(runs);
    known.retainAll(journal.runs());
    List<String> lost = new ArrayList<>(runs);
    lost.removeAll(known);
    return new LeftRuns(known, lost, journal.directory().toString());
  }

  /** For people; empty where the journal has all of them. */
  Optional<String> line() {
    return lost.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "a profile run was killed, and the journal "
                + Words.plain(directory)
                + " has its "
                + (lost.size() == 1 ? "run " : "runs ")
                + String.join(", ", lost)
                + " no more: what of its input that moved stays where it is");
  }
}
