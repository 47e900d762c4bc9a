package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastChangesTest {
  private static final String HERE = "hdfs://here";

  @TempDir private Path folder;

  private String run(
      String command, String cluster, String undoes, long file, int after, String why)
      throws IOException {
    try (JournalRun run =
        new Journal(folder).begin(command, "ann", cluster, List.of("/"), "ppa", undoes)) {
      long step = run.append(new JournalEntry.Replicas("/f", file, 3, after, "ppa", "it is hot"));
      run.append(new JournalEntry.Result(step, why));
      return run.id();
    }
  }

  private LastChanges read() {
    return LastChanges.of(new Journal(folder), HERE);
  }

  @Test
  void knowsWhatItGaveEachFile() throws IOException {
    run(LastChanges.COMMAND, HERE, null, 1, 5, null);
    run(LastChanges.COMMAND, HERE, null, 2, 5, "no permission");
    run(LastChanges.COMMAND, "hdfs://there", null, 3, 5, null);
    run("file layout", HERE, null, 4, 5, null);

    LastChanges changes = read();

    assertThat(changes.isOurs(1, 5)).isTrue();
    assertThat(changes.isOurs(1, 4)).isFalse();
    assertThat(changes.seconds(1, 5)).isPositive();
    for (long other = 2; other <= 5; other++) {
      assertThat(changes.isOurs(other, 5)).as("file %d", other).isFalse();
      assertThat(changes.seconds(other, 5)).isEqualTo(Double.NEGATIVE_INFINITY);
    }
  }

  @Test
  void aRunThatWasTakenBackCountsAsAChangeOfItsOwn() throws IOException {
    String id = run(LastChanges.COMMAND, HERE, null, 1, 5, null);
    run("undo", HERE, id, 1, 3, null);

    assertThat(read().isOurs(1, 3)).isTrue();
    assertThat(read().isOurs(1, 5)).isFalse();
  }

  @Test
  void aStepOfWhichNobodyWroteTheResultMayHaveBeenMade() throws IOException {
    try (JournalRun run =
        new Journal(folder).begin(LastChanges.COMMAND, "ann", HERE, List.of("/"), "ppa", null)) {
      run.append(new JournalEntry.Replicas("/f", 1, 3, 5, "ppa", "it is hot"));
    }
    assertThat(read().isOurs(1, 5)).isTrue();
  }
}
