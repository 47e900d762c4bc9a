package io.tierwise.experiments.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ResultFilesTest {
  @Test
  void theProjectsOwnPageIsInItsDocsHoweverItsFolderIsNamed() {
    Path own = Path.of("/project/reproductions");
    Path page = Path.of("/project/docs/results/reproductions.md");

    assertThat(ResultFiles.page(own, own)).isEqualTo(page);
    assertThat(ResultFiles.page(Path.of("/project/docs/../reproductions"), own)).isEqualTo(page);
  }

  @Test
  void thePageOfAnotherFolderIsInIt() {
    Path own = Path.of("/project/reproductions");

    assertThat(ResultFiles.page(Path.of("/mine/reproductions"), own))
        .isEqualTo(Path.of("/mine/reproductions/reproductions.md"));
  }
}
