package io.tierwise.experiments.reproduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tierwise.core.message.OperatorException;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The project's own reproductions: complete, and what the code gives. */
class ReproductionsTest {
  @TempDir Path folder;

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
    areWhatTheCodeGives(reproduction, quick, null);
  }

  /** All rows; those that replay a trace where TIERWISE_TRACES names a folder with traces. */
  @Tag("long")
  @ParameterizedTest
  @MethodSource("all")
  void allRowsAreWhatTheCodeGives(Reproduction reproduction) throws IOException {
    String traces = System.getenv("TIERWISE_TRACES");
    areWhatTheCodeGives(reproduction, row -> true, traces == null ? null : Path.of(traces));
  }

  private static void areWhatTheCodeGives(
      Reproduction reproduction, Predicate<RowPlan> wanted, Path traces) throws IOException {
    Runner runner = new Runner(reproduction, List.of(), traces, line -> {});
    RunListener silent = new RunListener() {};
    runner.run(wanted, 2, silent, () -> false);
    Map<RowKey, String> ours = ResultFiles.lines(runner.compare(wanted));
    assertThat(ours).isNotEmpty();
    Map<RowKey, String> committed = ResultFiles.committed(reproduction.folder());
    committed.keySet().retainAll(ours.keySet());
    assertThat(committed)
        .as(
            "run 'make reproduce PAPER=%s', look at what changed, and commit it",
            reproduction.paper())
        .isEqualTo(ours);
  }

  @Test
  void aRowWithoutAFormulaTakesTheNumberOfAnotherSimulator() throws IOException {
    write("expected.csv", Reproduction.EXPECTED_HEADER, "F,a,m,10,s,p. 1", "F,b,m,10,s,p. 1");
    write("numbers.csv", Reproduction.NUMBERS_HEADER, "F,a,m,-10.4", "F,b,m,10.4", "F,c,m,1");
    String[] runs = {
      "numbers: numbers.csv",
      "sets: {c: [a, b]}",
      "rows: [{figure: F, case: '{c}', metric: m, cause: sign}]"
    };
    write(
        "tolerance.yaml",
        "- {relative: 0.05, reason: r, rows: [{figure: F, case: '{c}', metric: m}]}");
    write("runs.yaml", runs);
    Reproduction read = Reproduction.read(folder);
    List<String> heard = new ArrayList<>();
    Runner runner = new Runner(read, List.of("seed=1"), null, heard::add);
    runner.run(row -> true, 1, new RunListener() {}, () -> false);
    assertThat(runner.compare(row -> true))
        .extracting(each -> each.ours().mean(), Comparison::verdict)
        .containsExactly(tuple(-10.4, Verdict.DOES_NOT_REPRODUCE), tuple(10.4, Verdict.REPRODUCES));
    assertThat(heard).singleElement().asString().contains("settings change none of its numbers");
    write("runs.yaml", runs[1], runs[2]);
    assertThatThrownBy(() -> Reproduction.read(folder))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("has no ours, and no file of numbers has F | a | m");
  }

  /** What no run decides predicts nothing: it says so, and is counted apart. */
  @Test
  void aRowWithoutARunMustSayThatItIsGiven() throws IOException {
    write("expected.csv", Reproduction.EXPECTED_HEADER, "F,a,m,20,%,p. 1", "F,b,m,20,%,p. 1");
    write(
        "tolerance.yaml",
        "- {absolute: 1, reason: r, rows: [{figure: F, case: a, metric: m}, {figure: F, case: b, metric: m}]}");
    String row = "  - {figure: F, case: %s, metric: m, ours: '100 / 5'%s}";
    write("runs.yaml", "rows:", row.formatted("a", ", given: true"), row.formatted("b", ""));
    assertThatThrownBy(() -> Reproduction.read(folder))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("names no run, so that nothing predicts it: say given: true");

    String both = ", given: true, calibrated: true";
    write("runs.yaml", "rows:", row.formatted("a", both), row.formatted("b", both));
    assertThatThrownBy(() -> Reproduction.read(folder))
        .hasMessageContaining("is calibrated and given");

    String given = ", given: true";
    String calibrated = ", calibrated: true";
    write("runs.yaml", "rows:", row.formatted("a", given), row.formatted("b", calibrated));
    List<Comparison> compared = compared(Reproduction.read(folder));
    assertThat(compared)
        .extracting(Comparison::verdict)
        .containsExactly(Verdict.GIVEN, Verdict.CALIBRATED);
    assertThat(ResultFiles.summary(compared))
        .isEqualTo(
            "0 of 0 printed numbers reproduce, 1 more were used for calibration,"
                + " 1 more are inputs or arithmetic");
    assertThat(NullScore.of(compared).numbers()).isZero();
  }

  /** Else a calibrated row would count as a prediction. */
  @Test
  void aWordForYesIsRefused() throws IOException {
    write("expected.csv", Reproduction.EXPECTED_HEADER, "F,a,m,20,%,p. 1");
    write("tolerance.yaml", "- {absolute: 1, reason: r, rows: [{figure: F, case: a, metric: m}]}");
    for (String key : List.of("given", "calibrated")) {
      String row = "rows: [{figure: F, case: a, metric: m, ours: '20', " + key + ": yes}]";
      write("runs.yaml", row);
      assertThatThrownBy(() -> Reproduction.read(folder))
          .isInstanceOf(OperatorException.class)
          .hasMessageEndingWith(key + " is yes; must be true or false");
    }
    write("runs.yaml", "runs: [{name: r, scenario: s.yaml, quick: yes}]");
    assertThatThrownBy(() -> Reproduction.read(folder))
        .hasMessageEndingWith("quick is yes; must be true or false");
  }

  @Test
  void aNumberThatIsPrintedTwiceIsRefused() throws IOException {
    write("expected.csv", Reproduction.EXPECTED_HEADER, "F,a,m,20,%,p. 1", "F,a,m,30,%,p. 1");
    write("runs.yaml", "rows: [{figure: F, case: a, metric: m, ours: '20', given: true}]");
    assertThatThrownBy(() -> Reproduction.read(folder))
        .isInstanceOf(OperatorException.class)
        .hasMessageEndingWith("expected.csv: has two lines for F | a | m");
  }

  private static List<Comparison> compared(Reproduction reproduction) {
    Runner runner = new Runner(reproduction, List.of(), null, line -> {});
    runner.run(row -> true, 1, new RunListener() {}, () -> false);
    return runner.compare(row -> true);
  }

  private void write(String name, String... lines) throws IOException {
    Files.write(folder.resolve(name), List.of(lines));
  }
}
