package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankCommandTest {
  @TempDir private Path folder;

  private String trace() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int job = 0; job < 300; job++) {
      rows.append("job" + job + "\t" + job + "\t1\t1000\t0\t0\t/f" + job % 7 * (job % 2) + "\n");
    }
    return Files.writeString(folder.resolve("trace.tsv"), rows).toString();
  }

  @Test
  void printsAScoreForEachWindowAndPredictor() throws IOException {
    CommandRun run =
        CommandRun.of(
            "rank", trace(), "--window", "1 min,100 s", "--predictor", "ppa", "--predictor", "lru");
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("regret", "ppa", "lru", "60 s", "100 s", "300 reads of 7 files");
  }

  @Test
  void answersInJson() throws IOException {
    CommandRun run = CommandRun.of("rank", trace(), "--json");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("\"best_fast_bytes\"", "\"predictor\" : \"oracle\"");
  }

  @Test
  void aTraceThatIsNotThereIsOneLine() {
    CommandRun run = CommandRun.of("rank", folder.resolve("none.tsv").toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err().lines()).hasSize(1);
    assertThat(run.err()).contains("none.tsv");
  }
}
