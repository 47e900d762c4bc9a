package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The report of a run of a live cluster's mover, and what its journal has. */
record Moved(MoverReport report, List<PastRun.Step> steps) {
  /** Something to do when the mover has its lock. */
  interface Before {
    /**
     * @param journal its directory
     */
    void run(Path journal) throws IOException;
  }

  static Moved run(LiveCluster cluster, MoverSettings settings, MoveOrder order, Before before)
      throws IOException {
    Path directory = Files.createTempDirectory("journal");
    Journal journal = new Journal(directory);
    MoverReport report;
    String id;
    try (JournalRun run = journal.begin("test", "me", "here", order.paths(), "", null);
        Mover mover = Mover.open(cluster.cluster(), settings).writingTo(run)) {
      id = run.id();
      before.run(directory);
      report = mover.run(order, Listener.Step.SILENT);
    }
    return new Moved(report, Steps.of(PastRun.read(journal, id)));
  }

  /** Moves that were not made, with their reasons. */
  List<String> failures() {
    return steps.stream()
        .filter(step -> !step.done())
        .map(step -> step.result() + " " + step.entry())
        .toList();
  }

  /**
   * Old replicas that two moves named which were both made: the first copy took the place of
   * another one, and the block was planned anew, for no plan names a replica twice.
   */
  List<String> namedTwice() {
    Set<String> named = new HashSet<>();
    return steps.stream()
        .filter(PastRun.Step::done)
        .map(step -> (JournalEntry.Moving) step.entry())
        .map(move -> move.blockId() + " on " + move.from().nodeId())
        .filter(replica -> !named.add(replica))
        .toList();
  }
}
