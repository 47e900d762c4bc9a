package io.tierwise.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tierwise.cli.CommandRun;
import io.tierwise.policies.cost.DataLoss;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RiskCommandTest {
  private static CommandRun risk(String... words) {
    List<String> all = new ArrayList<>(List.of("risk"));
    all.addAll(List.of(words));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private static JsonNode rows(String... words) throws IOException {
    return json(words).get("rows");
  }

  private static JsonNode json(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--json");
    CommandRun run = risk(all.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return new ObjectMapper().readTree(run.out());
  }

  private static double probability(String... words) throws IOException {
    return rows(words).get(0).get("probability").asDouble();
  }

  private static double wattsPerTerabyte(String... words) throws IOException {
    return rows(words).get(0).get("watts_per_terabyte").asDouble();
  }

  /**
   * The cases of DerbyhatS, Table 5.1, by MTBF in years and nodes. Which of the printed values come
   * out is in {@code DataLossTest}.
   */
  @ParameterizedTest
  @CsvSource({"3, 1000, 1", "3, 100, 1", "6, 1000, 1", "6, 100, 1", "6, 100, 2"})
  void tellsTheCasesOfTable51WithinTheDays(double mtbfYears, int nodes, double days)
      throws IOException {
    JsonNode answer =
        json(
            "--replicas",
            "3,2,1",
            "--nodes",
            "" + nodes,
            "--mtbf-years",
            "" + mtbfYears,
            "--days",
            "" + days);
    assertThat(answer.get("repair_seconds").asDouble()).isEqualTo(days * 86_400);
    double p = DataLoss.failureProbability(days, mtbfYears * 365);
    assertThat(answer.get("rows")).hasSize(3);
    for (int i = 0; i < 3; i++) {
      double expected = DataLoss.probability(nodes, 3 - i, Double.POSITIVE_INFINITY, p);
      JsonNode row = answer.get("rows").get(i);
      assertThat(row.get("probability").asDouble() / expected).isCloseTo(1, within(1e-9));
      assertThat(row.get("probability_per_year").asDouble())
          .isCloseTo(1 - Math.pow(1 - expected, 365 / days), within(1e-9));
    }
  }

  /**
   * Eq. 5.3 to 5.5 for a code: with f of n nodes failed a group is lost when more of its u nodes
   * are among them than it has parity. Summed here over the sets that failed, in another way than
   * the class does it.
   */
  @Test
  void tellsErasureCodesBesideReplicas() throws IOException {
    JsonNode rows = rows("--replicas", "3", "--code", "3+2,6+3", "--nodes", "20", "--blocks", "1");
    assertThat(rows.findValuesAsText("copies"))
        .containsExactly("3 replicas", "any 3 of 5", "any 6 of 9");
    double p = DataLoss.failureProbability(1, 3 * 365);
    // Of one group only its own nodes count: at least three of five, at least four of nine.
    assertThat(rows.get(1).get("probability").asDouble() / atLeast(3, 5, p))
        .isCloseTo(1, within(1e-9));
    assertThat(rows.get(2).get("probability").asDouble() / atLeast(4, 9, p))
        .isCloseTo(1, within(1e-9));
    assertThat(rows.get(1).get("watts_per_terabyte").asDouble())
        .isCloseTo(5 / 3.0 * 200 / 24, within(1e-9));
    assertThat(rows.get(2).get("watts_per_terabyte").asDouble())
        .isCloseTo(1.5 * 200 / 24, within(1e-9));
  }

  private static double atLeast(int failed, int of, double p) {
    double sum = 0;
    for (int set = 0; set < 1 << of; set++) {
      int count = Integer.bitCount(set);
      sum += count >= failed ? Math.pow(p, count) * Math.pow(1 - p, of - count) : 0;
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(strings = {"6", "0+2", "3+0", "3+", "RS-3-2", "1000+1"})
  void aCodeThatIsNoneIsNamed(String code) {
    CommandRun run = risk("--code", code, "--nodes", "20");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--code " + code + " is none").hasLineCount(1);
  }

  @Test
  void aCodeWantsAsManyNodesAsItHasUnits() {
    CommandRun run = risk("--code", "6+3", "--nodes", "8");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("9 units want as many nodes").hasLineCount(1);
    CommandRun both = risk("--code", "6+3", "--policy", "layout:2 x disk", "--nodes", "disk=20");
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.err()).contains("--policy excludes --replicas and --code").hasLineCount(1);
  }

  /** DerbyhatS, 5.1.3. */
  @Test
  void tellsThePowerThatATerabyteTakes() throws IOException {
    assertThat(wattsPerTerabyte("--replicas", "1", "--nodes", "10")).isCloseTo(8.33, within(0.01));
    assertThat(wattsPerTerabyte("--nodes", "10")).isCloseTo(25, within(0.01));
    assertThat(
            wattsPerTerabyte(
                "--policy", "layout:1 x nas", "--nodes", "nas=10", "--watts-per-tb", "nas=0.78"))
        .isCloseTo(0.78, within(1e-12));
    assertThat(
            wattsPerTerabyte(
                "--policy",
                "1 x disk + 2 x nas",
                "--nodes",
                "disk=10,nas=10",
                "--watts-per-tb",
                "nas=0.78"))
        .isCloseTo(200 / 24.0 + 2 * 0.78, within(1e-12));
  }

  @Test
  void aFigureThatTheUserGivesIsNotSaidToBeAssumed() throws IOException {
    JsonNode pool = json("--nodes", "9", "--mtbf-years", "4").get("pools").get(0);
    assertThat(pool.get("interval_assumed").asBoolean()).isFalse();
    assertThat(pool.get("watts_assumed").asBoolean()).isTrue();
    assertThat(unfolded(risk("--nodes", "9", "--mtbf-years", "4")))
        .contains("once in 4 years, within", "of capacity (assumed, not measured: --watts-per-tb");
  }

  /** With line breaks as blanks. */
  private static String unfolded(CommandRun run) {
    return run.out().replaceAll("\\s+", " ");
  }

  @Test
  void theTimeOfARiskStandsAtItsColumn() {
    CommandRun run = risk("--nodes", "9", "--days", "2.5");
    assertThat(run.out()).contains("risk within 2.5 days", "risk a year");
    assertThat(unfolded(run)).contains("Nothing is repaired within 2.5 days", "approximation");
  }

  /** The first figure that an operator sees says of three replicas that they lose data for sure. */
  @Test
  void anUpperBoundIsSaidToBeOne() {
    assertThat(unfolded(risk("--nodes", "1000"))).contains("an upper bound, as if every set");
    assertThat(unfolded(risk("--nodes", "1000", "--blocks", "9"))).doesNotContain("upper bound");
  }

  @Test
  void noRiskIsPrintedAsCertainOrAsNoneThatIsNot() {
    assertThat(risk("--nodes", "6000", "--replicas", "1").out()).contains("0.9958");
    assertThat(risk("--nodes", "20000", "--replicas", "1").out())
        .contains("above 0.9999")
        .doesNotContain("1.00");
    assertThat(risk("--nodes", "99", "--replicas", "90", "--mtbf-years", "99999").out())
        .contains("below 1e-300")
        .doesNotContain("0.00 ");
  }

  @Test
  void aCopyInAnotherStoreMultipliesTheRisks() throws IOException {
    String[] figures = {"--nodes", "disk=1000,nas=100", "--mtbf-years", "nas=6"};
    double disk = ofPolicy("1 x disk", figures);
    double nas = ofPolicy("layout:1 x nas", figures);
    assertThat(nas).isCloseTo(4.46e-2, within(1e-4));
    assertThat(ofPolicy("layout:1 x disk + 1 x nas", figures) / (disk * nas))
        .isCloseTo(1, within(1e-9));
    assertThat(ofPolicy("layout:1 x nas + 1 x disk surplus", figures)).isEqualTo(nas);
    assertThat(ofPolicy("layout:1 x nas + 1 x any surplus", figures)).isEqualTo(nas);
  }

  private static double ofPolicy(String policy, String... figures) throws IOException {
    List<String> words = new ArrayList<>(List.of("--policy", policy));
    words.addAll(List.of(figures));
    return probability(words.toArray(String[]::new));
  }

  /** With a node a block, f failed nodes lose none with (1 - f/1000)^1000, about exp(-f). */
  @Test
  void fewBlocksAreAtLessRiskThanManyAndATableSaysSo() throws IOException {
    String[] words = {"--replicas", "1,2", "--nodes", "1000", "--blocks", "1000"};
    double meanFailures = 1000 * -Math.expm1(-1 / (3 * 365.0));
    assertThat(rows(words).get(0).get("probability").asDouble())
        .isCloseTo(-Math.expm1(meanFailures * Math.expm1(-1)), within(2e-3));
    CommandRun run = risk(words);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .containsPattern("1 replica +1,000 +- +0\\.44 +above 0\\.9999 +8\\.33")
        .contains("1,000 nodes: each fails once in 3 years (assumed, not measured");
  }

  @Test
  void tiersAreSaidToBeOnMachinesOfTheirOwn() {
    CommandRun run = risk("--policy", "1 x disk + 1 x nas", "--nodes", "disk=9,nas=3");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("9 nodes of tier disk", "3 nodes of tier nas", "other machines");
  }

  @Test
  void badInputIsNamedInOneLine() {
    assertBad("give --nodes", "--replicas", "3");
    assertBad("--nodes many is no figure", "--nodes", "many");
    assertBad("--nodes 0x10 is no figure", "--nodes", "0x10");
    assertBad("--nodes NaN is no figure", "--nodes", "NaN");
    assertBad("--nodes =5 is no figure", "--nodes", "=5");
    assertBad("at most 1,000,000", "--nodes", "1e9");
    assertBad("--nodes 2.5 is no whole number", "--nodes", "2.5");
    assertBad("--nodes names tier a twice", "--nodes", "a=1,a=2", "--policy", "1 x a");
    assertBad("two numbers", "--nodes", "1,2");
    assertBad("3 replicas want as many nodes, but there are 2 nodes: change", "--nodes", "2");
    assertBad("there is 1 node of tier nas", "--nodes", "disk=9,nas=1", "--policy", "2 x nas");
    assertBad("names regions or racks", "--nodes", "disk=9", "--policy", "2 x disk in region a");
    assertBad("names regions or racks", "--nodes", "d=9", "--policy", "2 x d on different racks");
    assertBad("--replicas 0 is too little", "--nodes", "9", "--replicas", "0");
    assertBad("--blocks 0", "--nodes", "9", "--blocks", "0");
    assertBad("--days -1.0 is no time", "--nodes", "9", "--days=-1");
    assertBad("--mtbf-years 1e300", "--nodes", "9", "--mtbf-years", "1e300");
    assertBad("--nodes names tier disk, but", "--nodes", "disk=9");
    assertBad("give --nodes TIER=N", "--nodes", "9", "--policy", "hybrid");
    assertBad("unknown tier \"nas\"", "--nodes", "disk=9", "--policy", "layout:1 x nas");
    assertBad("leaves a tier open", "--nodes", "disk=9", "--policy", "layout:1 x any");
    assertBad("give --replicas N", "--nodes", "disk=9", "--policy", "network-aware");
    assertBad("--policy excludes", "--nodes", "a=9", "--policy", "1 x a", "--replicas", "2");
    assertBad(
        "tier nsa, but no number of nodes",
        "--nodes",
        "nas=9",
        "--mtbf-years",
        "nsa=6",
        "--policy",
        "1 x nas");
    assertBad("not for PATH", "/data", "--blocks", "9");
  }

  @Test
  void moreTiersOfManyNodesThanCanBeSummedAreRefused() {
    String nodes = "a=1000000,b=1000000,c=1000000,d=1000000";
    assertBad(
        "the failures of 4 pools are",
        "--policy",
        "1 x a + 1 x b + 1 x c + 1 x d",
        "--nodes",
        nodes,
        "--days",
        "365");
  }

  private static void assertBad(String text, String... words) {
    CommandRun run = risk(words);
    assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
    assertThat(run.err()).contains(text).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
