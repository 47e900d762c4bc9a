package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalCommandTest {
  @TempDir private Path folder;

  /** A mistyped folder would look like a cluster on which nothing was ever moved. */
  @Test
  void aJournalWithoutRunsIsNamed() {
    Path none = folder.resolve("none");
    CommandRun run = CommandRun.of("journal", "--journal", none.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualToIgnoringNewLines("tierwise journal: no such run in the journal " + none);
  }
}
