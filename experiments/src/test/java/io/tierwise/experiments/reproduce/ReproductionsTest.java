package io.tierwise.experiments.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.experiments.reproduce.Comparison.Verdict;
import io.tierwise.experiments.run.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The project's own reproductions: complete, and what the code gives. */
class ReproductionsTest {
  private static final Path FOLDER = projectFolder().resolve("reproductions");

  private static Path projectFolder() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
      folder = folder.getParent();
    }
    return folder;
  }

  static Stream<Reproduction> all() {
    return Reproduction.papers(FOLDER).stream()
        .map(name -> Reproduction.read(FOLDER.resolve(name)));
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyPrintedNumberHasOneOfOursOrNeedsATrace(Reproduction reproduction) throws IOException {
    List<RowKey> missing = new ArrayList<>();
    Map<RowKey, String> committed = ResultFiles.committed(reproduction.folder());
    for (ExpectedRow row : reproduction.expected()) {
      boolean needsTrace =
          reproduction.plans().get(row.key()).runs().stream()
              .anyMatch(run -> reproduction.runs().get(run).needsData());
      if (!committed.containsKey(row.key()) && !needsTrace) {
        missing.add(row.key());
      }
    }
    assertThat(missing).as("run 'make reproduce PAPER=%s'", reproduction.paper()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyMissNamesItsCause(Reproduction reproduction) throws IOException {
    ResultFiles.committed(reproduction.folder())
        .forEach(
            (key, line) -> {
              if (line.endsWith(Verdict.DOES_NOT_REPRODUCE.text())) {
                assertThat(reproduction.plans().get(key).cause()).as(key.toString()).isNotBlank();
              }
            });
  }

  @ParameterizedTest
  @MethodSource("all")
  void theQuickRowsAreWhatTheCodeGives(Reproduction reproduction) throws IOException {
    Predicate<RowPlan> quick =
        row -> row.runs().stream().allMatch(run -> reproduction.runs().get(run).quick());
    Runner runner = new Runner(reproduction, List.of(), null, line -> {});
    RunListener silent = new RunListener() {};
    runner.run(quick, 2, silent, () -> false);
    Map<RowKey, String> ours = ResultFiles.lines(runner.compare(quick));
    assertThat(ours).isNotEmpty();
    Map<RowKey, String> committed = ResultFiles.committed(reproduction.folder());
    committed.keySet().retainAll(ours.keySet());
    assertThat(committed)
        .as(
            "run 'make reproduce PAPER=%s', look at what changed, and commit it",
            reproduction.paper())
        .isEqualTo(ours);
  }
}
