package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The guide's questions about a move that needs no cluster are answered as it says. */
class WhatIfGuideTest {
  private static final Path PROJECT = CommandReferenceTest.projectFolder();
  private static final Path GUIDE = PROJECT.resolve("docs/how-to/move-data.md");

  @Test
  void everyCommandRuns() throws IOException {
    List<GuideCommands.Line> lines = GuideCommands.of(GUIDE, "what-if");
    assertThat(lines).hasSize(2);
    for (GuideCommands.Line line : lines) {
      assertThat(line.startsWith("bin/tierwise", "what-if")).isTrue();
      String[] arguments =
          Arrays.stream(line.arguments(1))
              .map(word -> word.startsWith("examples/") ? PROJECT.resolve(word).toString() : word)
              .toArray(String[]::new);

      CommandRun run = CommandRun.of(arguments);

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains("would move", "jobs run meanwhile: ");
    }
  }
}
