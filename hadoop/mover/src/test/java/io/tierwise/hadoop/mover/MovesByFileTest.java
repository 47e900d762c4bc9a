package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovesByFileTest {
  private static final JournalEntry.Place HERE =
      new JournalEntry.Place("a:1", "a", "DS-1", "DISK", "disk", "east");

  @TempDir private Path folder;

  private static JournalEntry.Moving move(long file, long block) {
    return new JournalEntry.Moving(
        "/" + file, file, 100, null, 0, block, 100, HERE, "a:1", HERE, "policy", "rule", 0, null);
  }

  /** An undo takes back the moves of a file together, so that it must not be told of some. */
  @Test
  void eachFileIsToldOnceWithAllOfItsMovesInTheirOrder() throws IOException {
    Journal journal = new Journal(folder);
    JournalRun run = journal.begin("test", "me", "here", List.of("/"), null, null);
    try (run) {
      for (long[] fileAndBlock : new long[][] {{1, 10}, {2, 20}, {1, 11}, {1, 10}, {2, 20}}) {
        run.append(move(fileAndBlock[0], fileAndBlock[1]));
      }
    }
    List<String> told = new ArrayList<>();
    MovesByFile.read(
        PastRun.read(journal, run.id()),
        (file, moves) ->
            moves.forEach(
                (block, steps) ->
                    told.add(
                        file
                            + " "
                            + block
                            + " "
                            + steps.stream().map(PastRun.Step::number).toList())));

    assertThat(told).containsExactly("1 10 [1, 4]", "1 11 [3]", "2 20 [2, 5]");
  }
}
