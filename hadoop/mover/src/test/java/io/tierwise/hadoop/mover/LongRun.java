package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.JournalSearch;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A process that reads the journal of a run of many moves: as an undo does, and as its users. */
final class LongRun {
  private static final int BLOCKS_OF_FILE = 3;

  private LongRun() {}

  /** Writes such a run; its id. */
  static String write(Journal journal, int moves) throws IOException {
    try (JournalRun run = journal.begin("file move", "me", "here", List.of("/"), "", null)) {
      for (int i = 0; i < moves; i++) {
        long number = run.append(move(i));
        run.append(new JournalEntry.Result(number, i % 2 == 0 ? null : "no room"));
      }
      return run.id();
    }
  }

  private static JournalEntry.Moving move(int number) {
    long file = number / BLOCKS_OF_FILE;
    return new JournalEntry.Moving(
        "/made/file-" + file,
        file,
        BLOCKS_OF_FILE << 27,
        "layout:1 x ssd + 2 x disk",
        number % BLOCKS_OF_FILE,
        number,
        1 << 27,
        new JournalEntry.Place("n1:9866", "uuid-of-n1", "DS-disk-1", "DISK", "disk", "default"),
        "n1:9866",
        new JournalEntry.Place("n2:9866", "uuid-of-n2", "DS-ssd-2", "SSD", "ssd", "default"),
        "layout-movement",
        "to another node, in a tier that the layout misses",
        1 << 27,
        null);
  }

  public static void main(String[] arguments) throws IOException {
    PastRun run = PastRun.read(new Journal(Path.of(arguments[0])), arguments[1]);
    long[] counts = {0, 0};
    MovesByFile.read(run, (file, moves) -> counts[0] += moves.size());
    new JournalSearch(null, null, null, null, null, null).steps(run, step -> counts[1]++);
    System.out.println(counts[0] + " " + counts[1]);
  }
}
