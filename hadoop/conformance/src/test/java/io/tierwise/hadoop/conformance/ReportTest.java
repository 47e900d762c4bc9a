package io.tierwise.hadoop.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  private static final String PLUGIN = "io.tierwise.Plugin";

  @Test
  void allIsWellWhenBothSidesPassAndThePluginWasLoaded() {
    Report report = report(Outcome.PASSED, Outcome.PASSED);
    assertThat(report.problems(List.of(PLUGIN))).isEmpty();
    assertThat(report.exitCode(List.of(PLUGIN))).isZero();
  }

  @Test
  void aRegressionIsExitCodeOneAndNamesTheTestAndItsError() {
    Report report = report(Outcome.PASSED, Outcome.FAILED);
    assertThat(report.exitCode(List.of())).isEqualTo(1);
    assertThat(report.toText())
        .contains("regression: TestX testIt(): stock [PASSED], ours [FAILED]: boom");
    assertThat(report.problems(List.of()))
        .allSatisfy(problem -> assertThat(problem).contains("TestX"))
        .hasSize(1);
  }

  @Test
  void aPluginThatNoTestLoadedMakesTheReportNoProof() {
    Report report = report(Outcome.PASSED, Outcome.PASSED);
    assertThat(report.exitCode(List.of("io.tierwise.Other"))).isEqualTo(3);
    assertThat(report.problems(List.of("io.tierwise.Other")))
        .containsExactly("no test loaded io.tierwise.Other");
  }

  @Test
  void aClassThatRanNothingMakesTheReportNoProof() {
    assertThat(report(Outcome.SKIPPED, Outcome.SKIPPED).exitCode(List.of())).isEqualTo(3);
  }

  @Test
  void stocksOwnFailuresAreListedAndNotOurProblem() {
    Comparison comparison =
        Comparison.of(
            "a.b.TestX",
            List.of(run(Side.STOCK, Outcome.FAILED, "other()", Outcome.PASSED)),
            List.of(run(Side.INSTALLED, Outcome.FAILED, "other()", Outcome.PASSED)),
            KnownCauses.NONE);
    Report report = report(Side.INSTALLED, comparison);
    assertThat(report.exitCode(List.of())).isZero();
    assertThat(report.toText()).contains("stock failure: TestX testIt()");
  }

  @Test
  void aClassInWhichOurCodePlacedNothingMakesTheReportNoProof() {
    assertThat(deciding(Map.of("read", 7L)).exitCode(List.of())).isEqualTo(3);
    assertThat(deciding(Map.of("read", 7L)).problems(List.of()))
        .containsExactly("TestX: our code placed no block, and should have");
    assertThat(deciding(Map.of("read", 7L), "a.b.TestX").exitCode(List.of())).isZero();
    assertThat(deciding(Map.of("placement", 1L)).exitCode(List.of())).isZero();
    assertThat(deciding(Map.of("placement", 1L)).toText()).contains("decisions: placement: 1");
  }

  @Test
  void eachKindOfDecisionIsWantedOnceTheWholeSuiteRan() {
    Report report = deciding(Map.of("placement", 1L, "read", 1L, "deletion", 1L, "listing", 1L));
    assertThat(report.problems(List.of(PLUGIN)))
        .containsExactly("our code made no decision of kind admission");
  }

  private static Report deciding(Map<String, Long> decisions, String... undecided) {
    Comparison comparison =
        Comparison.of(
            "a.b.TestX",
            List.of(),
            List.of(run(Side.DECIDING, Outcome.PASSED, new TreeMap<>(decisions))),
            KnownCauses.NONE);
    return report(Side.DECIDING, comparison, undecided);
  }

  @Test
  void textMarkdownAndJsonTellTheSame(@TempDir Path folder) throws Exception {
    report(Outcome.PASSED, Outcome.FAILED).write(folder);
    assertThat(Files.readString(folder.resolve("results-installed.md")))
        .contains("| reads | TestX | 1 | 1/0/0 | 0/1/0 | 2 | 2 | regression (1) |")
        .contains("plug-in log: TestX: WARN falling back");
    JsonNode json =
        new ObjectMapper().readTree(Files.readString(folder.resolve("results-installed.json")));
    JsonNode row = json.get("classes").get(0);
    assertThat(row.get("class").asText()).isEqualTo("a.b.TestX");
    assertThat(row.get("verdict").asText()).isEqualTo("regression");
    assertThat(row.get("stock").get(0).get("passed").asInt()).isEqualTo(1);
    assertThat(row.get("ours").get(0).get("failed").asInt()).isEqualTo(1);
    assertThat(row.get("findings").get(0).get("test").asText()).isEqualTo("testIt()");
  }

  private static Report report(Outcome stock, Outcome ours) {
    Comparison comparison =
        Comparison.of(
            "a.b.TestX",
            List.of(run(Side.STOCK, stock)),
            List.of(run(Side.INSTALLED, ours)),
            KnownCauses.NONE);
    return report(Side.INSTALLED, comparison);
  }

  private static Report report(Side side, Comparison comparison, String... undecided) {
    SideResult result = new SideResult(side, List.of(testClass()), List.of(comparison));
    return new Report(result, Set.of(undecided), 2, 60);
  }

  private static TestClass testClass() {
    return new TestClass("reads", "a.b.TestX", 1, "it is an example");
  }

  private static ClassRun run(Side side, Outcome outcome) {
    return run(side, outcome, new TreeMap<>());
  }

  private static ClassRun run(Side side, Outcome outcome, SortedMap<String, Long> decisions) {
    TreeMap<String, TestResult> results = new TreeMap<>();
    results.put("testIt()", new TestResult("testIt()", outcome, "boom\n at a.b"));
    boolean ours = side.hasPlugins();
    return new ClassRun(
        side,
        1,
        ClassRun.End.FINISHED,
        2.2,
        results,
        ours ? List.of(PLUGIN) : List.of(),
        decisions,
        ours ? List.of("WARN falling back") : List.of());
  }

  private static ClassRun run(Side side, Outcome outcome, String other, Outcome otherOutcome) {
    ClassRun run = run(side, outcome);
    run.results().put(other, new TestResult(other, otherOutcome, ""));
    return run;
  }
}
