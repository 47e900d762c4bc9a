package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalCommandTest {
  @TempDir private Path folder;

  /** A mistyped folder would look like a cluster on which nothing was ever moved. */
  @Test
  void aPlaceThatIsNoJournalIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "no journal");
    for (Path place : List.of(folder.resolve("none"), file)) {
      CommandRun option = CommandRun.of("journal", "--journal", place.toString());
      CommandRun key = CommandRun.of("journal", "-D", Journal.DIRECTORY_KEY + "=" + place);
      for (CommandRun run : List.of(option, key)) {
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
            .contains("tierwise journal: " + place + " is no directory of a journal");
      }
    }
  }

  /** The second operator of a cluster looks into a journal of his own. */
  @Test
  void aJournalWithoutRunsSaysWhoseItIs() {
    CommandRun run = CommandRun.of("journal", "--journal", folder.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualToIgnoringNewLines(
            "tierwise journal: no run yet in the journal "
                + folder
                + " of "
                + System.getProperty("user.name")
                + " on this machine; other users and machines have their own");
  }

  @Test
  void aSearchThatFindsNothingSaysSo() {
    new Journal(folder).begin("file move", "ann", "hdfs://nn", List.of("/a"), "1 x ssd", null);
    CommandRun run =
        CommandRun.of("journal", "--journal", folder.toString(), "--command", "file nothing");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualToIgnoringNewLines("tierwise journal: no such run in the journal " + folder);
  }
}
