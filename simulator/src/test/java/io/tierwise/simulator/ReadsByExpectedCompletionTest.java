package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.bound.ReadBound;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One order of replicas for slow and fast links, few and many readers. */
class ReadsByExpectedCompletionTest {
  private static final int SEEDS = 3;

  /** Most readers begin on their own node. */
  private static final String SCENARIO =
      OrderedReads.NINE_NODES
          + """
          workload: {dfsio: {tasks: READERS, file: 512 MB, local: 65%}}
          """;

  private static String yaml(int seed, String access, int gigabits, int readers) {
    return ("seed: " + seed + "\n" + SCENARIO)
        .replace("LINK", String.valueOf(gigabits))
        .replace("ACCESS", access)
        .replace("READERS", String.valueOf(readers));
  }

  private static Scenario scenario(int seed, String access, int gigabits, int readers) {
    return ScenarioFiles.parse(yaml(seed, access, gigabits, readers), access).scenario();
  }

  private static double megabytesPerSecond(String access, int gigabits, int readers)
      throws IOException {
    return OrderedReads.megabytesPerSecond(SEEDS, seed -> yaml(seed, access, gigabits, readers));
  }

  private static RunCase ran(String access, Scenario scenario) throws IOException {
    return new RunCase(access, scenario, List.of(Simulation.of(scenario).run(Progress.NONE)));
  }

  /** Reads by auto come near the best possible rate, those in stock's order do not. */
  @Test
  void theReportSaysWhatShareOfTheBoundAnOrderReads() throws IOException {
    Scenario auto = scenario(1, "auto", 3, 6);
    Report report =
        new Report(List.of(ran("auto", auto), ran("stock", scenario(1, "stock", 3, 6))))
            .withBounds(ReadBound.REPLICAS_MAX);
    double ofAuto = report.sharesOfBound().get(0).orElseThrow();
    double ofStock = report.sharesOfBound().get(1).orElseThrow();
    assertThat(ofAuto).isBetween(0.7, 1.05);
    assertThat(ofStock).isPositive().isLessThan(ofAuto);
    assertThat(report.rows()).anyMatch(row -> row.get(0).equals("  share of the bound"));
    assertThat(new Report(report.cases()).rows())
        .as("when nobody asks")
        .noneMatch(row -> row.get(0).equals("  share of the bound"));
    assertThat(new Report(report.cases()).withQuickBounds().sharesOfBound())
        .as("of few replicas it is said unasked")
        .isEqualTo(report.sharesOfBound());
  }

  /** One reader of one block reads as fast as its best replica: all there is, if that is chosen. */
  @Test
  void aReaderThatIsAloneCanReachTheBound() throws IOException {
    String yaml =
        SCENARIO
            .replace("LINK", "10")
            .replace("ACCESS", "auto")
            .replace("READERS", "1")
            .replace("512 MB", "100 MB");
    Scenario alone = ScenarioFiles.parse(yaml, "alone").scenario();
    assertThat(ran("alone", alone).shareOfBound(ReadBound.REPLICAS_MAX).orElseThrow())
        .isCloseTo(1, within(1e-3));
  }

  @Test
  void noBoundIsSaidWhereReadsDoNotBeginTogetherOrSomethingBreaks() throws IOException {
    String late =
        SCENARIO
            .replace("LINK", "10")
            .replace("ACCESS", "auto")
            .replace("READERS", "12")
            .replace("map-slots: 8", "map-slots: 1");
    assertThat(
            ran("late", ScenarioFiles.parse(late, "late").scenario())
                .shareOfBound(ReadBound.REPLICAS_MAX))
        .isEmpty();
    Scenario many = scenario(1, "auto", 10, 90);
    RunCase medium = ran("medium", scenario(1, "auto", 3, 24));
    assertThat(medium.shareOfBound(250)).as("288 replicas").isEmpty();
    assertThat(new Report(List.of(medium)).withQuickBounds().sharesOfBound()).isEmpty();
    assertThat(ran("many", many).shareOfBound(ReadBound.REPLICAS_MAX))
        .as("1080 replicas")
        .isEmpty();
  }

  /**
   * Own: what auto must reach of the best other strategy on the same replicas, and of stock HDFS's
   * order. Means of 12 seeds with files of 1 GB: 1.30 and 1.37, 1.28 and 2.3, 1.27 and 2.4, 1.05
   * and 2.1 in the order of the lines.
   */
  @ParameterizedTest
  @CsvSource({"1, 18, 1.1, 1.1", "3, 18, 1.1, 1.5", "10, 18, 1.1, 1.5", "10, 60, 0.95, 1.5"})
  void autoReadsAheadOfEveryOtherOrderOfTheSameReplicas(
      int gigabits, int readers, double overOthers, double overStock) throws IOException {
    double auto = megabytesPerSecond("auto", gigabits, readers);
    for (String other : OrderedReads.OTHERS) {
      double least = other.equals("stock") ? overStock : overOthers;
      assertThat(auto / megabytesPerSecond(other, gigabits, readers))
          .as("auto / %s", other)
          .isGreaterThan(least);
    }
  }
}
