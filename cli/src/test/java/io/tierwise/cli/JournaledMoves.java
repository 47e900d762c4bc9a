package io.tierwise.cli;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What a journal says that its runs moved. */
public final class JournaledMoves {
  private JournaledMoves() {}

  /** Files of which a journal says that they were to come, each as often as it says so. */
  public static List<String> of(Path folder, String tier) {
    return of(folder, tier, List.of());
  }

  /** The same without some of the journal's runs. */
  public static List<String> of(Path folder, String tier, Collection<String> without) {
    Journal journal = new Journal(folder);
    List<String> runs = new ArrayList<>(journal.runs());
    runs.removeAll(without);
    List<String> files = new ArrayList<>();
    for (String id : runs) {
      PastRun.read(journal, id)
          .read(
              step -> {
                if (step.entry() instanceof JournalEntry.Moving move
                    && tier.equals(move.to().tier())) {
                  files.add(move.file());
                }
              });
    }
    return files;
  }
}
