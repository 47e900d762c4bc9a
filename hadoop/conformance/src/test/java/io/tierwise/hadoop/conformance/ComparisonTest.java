package io.tierwise.hadoop.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private static final String CLASS = "org.apache.hadoop.hdfs.TestSomething";

  @Test
  void passingOnBothSidesPasses() {
    Comparison comparison = compare(runs(Side.STOCK, "PP"), runs(Side.INSTALLED, "PP"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.PASSES);
    assertThat(comparison.needsRetry()).isFalse();
  }

  @Test
  void passingOnStockAndFailingWithOursAsksForARetry() {
    Comparison comparison = compare(runs(Side.STOCK, "PP"), runs(Side.INSTALLED, "PF"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.REGRESSION);
    assertThat(comparison.needsRetry()).isTrue();
    assertThat(comparison.testsWith(Verdict.REGRESSION))
        .extracting(TestComparison::test)
        .containsExactly("t1");
  }

  @Test
  void onlyWhatPassesAltogetherNeedsNoStock() {
    assertThat(compare(List.of(), runs(Side.DECIDING, "PP")).passesWithOurs()).isTrue();
    assertThat(compare(List.of(), runs(Side.DECIDING, "PS")).passesWithOurs()).isFalse();
    assertThat(compare(List.of(), runs(Side.DECIDING, "PF")).passesWithOurs()).isFalse();
    assertThat(compare(List.of(), runs(Side.DECIDING, "")).passesWithOurs()).isFalse();
  }

  @Test
  void failingAgainWithOursIsARegression() {
    Comparison comparison = compare(runs(Side.STOCK, "P", "P"), runs(Side.INSTALLED, "F", "F"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.REGRESSION);
  }

  @Test
  void passingWithOursTheSecondTimeIsFlaky() {
    Comparison comparison = compare(runs(Side.STOCK, "P", "P"), runs(Side.INSTALLED, "F", "P"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.FLAKY);
    assertThat(comparison.needsRetry()).isFalse();
  }

  @Test
  void failingOnStockTheSecondTimeIsFlaky() {
    Comparison comparison = compare(runs(Side.STOCK, "P", "F"), runs(Side.INSTALLED, "F", "F"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.FLAKY);
  }

  @Test
  void skippingWithOursWhatPassesOnStockIsARegression() {
    Comparison comparison = compare(runs(Side.STOCK, "PP"), runs(Side.INSTALLED, "PS"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.REGRESSION);
  }

  @Test
  void aTestThatOursNeverReachedIsARegression() {
    Comparison comparison = compare(runs(Side.STOCK, "PP"), runs(Side.INSTALLED, "P"));
    assertThat(comparison.testsWith(Verdict.REGRESSION))
        .hasSize(1)
        .allSatisfy(test -> assertThat(test.ours()).containsExactly(Outcome.MISSING));
  }

  @Test
  void failingOnlyWithOursIsARegressionEvenWhenStockSkips() {
    Comparison comparison = compare(runs(Side.STOCK, "PS"), runs(Side.INSTALLED, "PF"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.REGRESSION);
  }

  @Test
  void aFailureAroundTheTestsOfOursAloneIsARegression() {
    ClassRun ours =
        run(Side.INSTALLED, ClassRun.End.FINISHED, results("P", OutcomeRecorder.CLASS_ITSELF, "F"));
    Comparison comparison = compare(runs(Side.STOCK, "P"), List.of(ours));
    assertThat(comparison.testsWith(Verdict.REGRESSION))
        .extracting(TestComparison::test)
        .containsExactly(OutcomeRecorder.CLASS_ITSELF);
  }

  @Test
  void failingOnBothSidesIsStocksFailure() {
    Comparison comparison = compare(runs(Side.STOCK, "PF"), runs(Side.INSTALLED, "PF"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.STOCK_FAILURE);
    assertThat(comparison.needsRetry()).isTrue();
  }

  @Test
  void aStockFailureWithAWrittenCauseNeedsNoRetry() {
    Comparison comparison =
        Comparison.of(
            CLASS, runs(Side.STOCK, "PF"), runs(Side.INSTALLED, "PF"), stockFailure("t1"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.KNOWN_STOCK_FAILURE);
    assertThat(comparison.needsRetry()).isFalse();
  }

  @Test
  void aWrittenCauseDoesNotExcuseARegressionOfAnotherTest() {
    Comparison comparison =
        Comparison.of(
            CLASS, runs(Side.STOCK, "PF"), runs(Side.INSTALLED, "FF"), stockFailure("t1"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.REGRESSION);
  }

  @Test
  void aKnownStockFailureThatPassesThisTimeStillCountsAgainstOurs() {
    Comparison comparison =
        Comparison.of(
            CLASS,
            runs(Side.STOCK, "PP", "PP"),
            runs(Side.INSTALLED, "PF", "PF"),
            stockFailure("t1"));
    assertThat(comparison.verdict()).isEqualTo(Verdict.REGRESSION);
  }

  @Test
  void aDifferenceWithAWrittenCauseIsNoRegression() {
    KnownCauses known = new KnownCauses(Set.of(), Set.of("t1"));
    Comparison comparison =
        Comparison.of(CLASS, runs(Side.STOCK, "PP"), runs(Side.INSTALLED, "PF"), known);
    assertThat(comparison.verdict()).isEqualTo(Verdict.KNOWN_DIFFERENCE);
    assertThat(comparison.needsRetry()).isFalse();
    assertThat(
            Comparison.of(CLASS, runs(Side.STOCK, "PP"), runs(Side.INSTALLED, "FF"), known)
                .verdict())
        .isEqualTo(Verdict.REGRESSION);
  }

  @Test
  void aTestThatStockWasTooSlowToReachIsNotOurs() {
    ClassRun stock = run(Side.STOCK, ClassRun.End.TIMED_OUT, results("P"));
    Comparison comparison = compare(List.of(stock), runs(Side.INSTALLED, "PF"));
    assertThat(comparison.testsWith(Verdict.STOCK_FAILURE)).hasSize(1);
    assertThat(comparison.testsWith(Verdict.REGRESSION)).isEmpty();
  }

  @Test
  void aClassOfWhichStockPassesNothingHasCheckedNothing() {
    assertThat(compare(runs(Side.STOCK, ""), runs(Side.INSTALLED, "")).verdict())
        .isEqualTo(Verdict.NOTHING_RAN);
    assertThat(compare(runs(Side.STOCK, "SS"), runs(Side.INSTALLED, "SS")).verdict())
        .isEqualTo(Verdict.NOTHING_RAN);
    assertThat(compare(runs(Side.STOCK, "FF"), runs(Side.INSTALLED, "FF")).verdict())
        .isEqualTo(Verdict.NOTHING_RAN);
  }

  @Test
  void stockAloneIsJudgedByItself() {
    assertThat(compare(runs(Side.STOCK, "PS"), List.of()).verdict()).isEqualTo(Verdict.PASSES);
    assertThat(compare(runs(Side.STOCK, "PF"), List.of()).verdict())
        .isEqualTo(Verdict.STOCK_FAILURE);
  }

  @Test
  void oursAloneCannotCallAFailureARegression() {
    assertThat(compare(List.of(), runs(Side.INSTALLED, "PF")).verdict())
        .isEqualTo(Verdict.NOT_COMPARED);
    assertThat(compare(List.of(), runs(Side.INSTALLED, "PF", "PP")).verdict())
        .isEqualTo(Verdict.FLAKY);
    assertThat(compare(List.of(), runs(Side.INSTALLED, "PS")).verdict()).isEqualTo(Verdict.PASSES);
  }

  @Test
  void theDetailIsOursBeforeStocks() {
    Comparison comparison = compare(runs(Side.STOCK, "F"), runs(Side.INSTALLED, "F"));
    assertThat(comparison.tests().get(0).detail()).isEqualTo("INSTALLED says no");
  }

  private static Comparison compare(List<ClassRun> stock, List<ClassRun> ours) {
    return Comparison.of(CLASS, stock, ours, KnownCauses.NONE);
  }

  private static KnownCauses stockFailure(String test) {
    return new KnownCauses(Set.of(test), Set.of());
  }

  /** One run for each text; its letters are the outcomes of t0, t1, ...: P, F or S. */
  private static List<ClassRun> runs(Side side, String... outcomes) {
    return Arrays.stream(outcomes)
        .map(letters -> run(side, ClassRun.End.FINISHED, results(letters, side)))
        .toList();
  }

  private static ClassRun run(Side side, ClassRun.End end, SortedMap<String, TestResult> results) {
    return new ClassRun(side, 1, end, 1.5, results, List.of(), new TreeMap<>(), List.of());
  }

  private static SortedMap<String, TestResult> results(String letters, Side side) {
    SortedMap<String, TestResult> results = new TreeMap<>();
    for (int index = 0; index < letters.length(); index++) {
      String test = "t" + index;
      results.put(test, result(test, letters.substring(index, index + 1), side + " says no"));
    }
    return results;
  }

  private static SortedMap<String, TestResult> results(String letters) {
    return results(letters, Side.STOCK);
  }

  private static SortedMap<String, TestResult> results(
      String letters, String alsoTest, String alsoLetter) {
    SortedMap<String, TestResult> results = results(letters);
    results.put(alsoTest, result(alsoTest, alsoLetter, "set-up says no"));
    return results;
  }

  private static TestResult result(String test, String letter, String failure) {
    return switch (letter) {
      case "P" -> new TestResult(test, Outcome.PASSED, "");
      case "F" -> new TestResult(test, Outcome.FAILED, failure);
      case "S" -> new TestResult(test, Outcome.SKIPPED, "not here");
      default -> throw new IllegalArgumentException(letter);
    };
  }
}
