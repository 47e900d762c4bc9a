package io.tierwise.lab.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.lab.dfsio.DfsioFigures;
import io.tierwise.lab.testbed.host.Machine;
import io.tierwise.lab.testbed.plan.DaemonKeys;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReadsSummaryTest {
  private static final BenchPhase.Row STOCK = new BenchPhase.Row(BenchDataSet.ONE_SSD, "stock");
  private static final BenchPhase.Row GREEDY = new BenchPhase.Row(BenchDataSet.HYBRID, "greedy");

  private static final DfsioFigures ONE_MEGABYTE_A_SECOND =
      new DfsioFigures(
          1, 1_000_000, 1e6, 1e6, 0, 1e6, Map.of(), Map.of(), 0, 0, 0, /* bound= */ null, null);

  @Test
  void theBestRowIsTheOneWithTheHighestMedian() {
    Map<BenchPhase.Row, List<Double>> rows = new LinkedHashMap<>();
    rows.put(STOCK, List.of(1.0, 9.0, 2.0));
    rows.put(GREEDY, List.of(3.0, 3.0, 3.0));
    assertThat(ReadsSummary.best(rows, row -> true)).containsExactly(3.0, 3.0, 3.0);
    assertThat(ReadsSummary.best(rows, row -> row.access().startsWith("stock"))).contains(9.0);
  }

  @Test
  void ratiosAreThoseOfOneRepeat() {
    double[] ratios = ReadsSummary.ratios(List.of(2.0, 9.0, 4.0), List.of(1.0, 3.0, 4.0));
    assertThat(ratios).containsExactly(1.0, 2.0, 3.0);
    assertThat(ReadsSummary.median(ratios)).isEqualTo(2.0);
    assertThat(ReadsSummary.median(new double[] {1, 3})).isEqualTo(2.0);
  }

  @Test
  void otherPlacementsAreNoOtherOrderOfTheSameFiles() {
    BenchPhase.Row auto = new BenchPhase.Row(BenchDataSet.HYBRID, "auto");
    Map<BenchPhase.Row, List<Double>> rows = new LinkedHashMap<>();
    rows.put(STOCK, List.of(8.0));
    rows.put(new BenchPhase.Row(BenchDataSet.HYBRID, "stock-considerStorageType"), List.of(4.0));
    rows.put(GREEDY, List.of(2.0));
    rows.put(auto, List.of(6.0));
    assertThat(ReadsSummary.overOthers(rows)).containsExactly(1.5);
    assertThat(ReadsSummary.overStock(rows)).containsExactly(0.75);
  }

  /** Every part can be compared: it has auto, another order of its files, and stock's best. */
  @Test
  void everyCaseHasStocksBestAndOtherOrdersOfTheSameFiles() {
    List<BenchPhase> phases = ReadsPhases.of(EnumSet.allOf(ReadsPart.class), 1 << 21);
    assertThat(phases)
        .extracting(BenchPhase::name)
        .containsExactly(
            "reads",
            "3 readers",
            "60 readers",
            "links told wrongly",
            "uplinks untold",
            "reports",
            "third rack",
            "fault: slow device",
            "fault: slow link",
            "fault: background writer");
    for (BenchPhase phase : phases) {
      Map<BenchPhase.Row, List<Double>> rows = new LinkedHashMap<>();
      phase.rows().forEach(row -> rows.put(row, List.of(1.0)));
      assertThat(ReadsSummary.overOthers(rows)).as(phase.name()).containsExactly(1.0);
      assertThat(ReadsSummary.overStock(rows)).as(phase.name()).containsExactly(1.0);
    }
  }

  /** The whole, all parts, and each part alone: whatever was measured, its figures come out. */
  static Stream<Set<ReadsPart>> partsThatMayBeMeasured() {
    return Stream.concat(
        Stream.of(
            EnumSet.of(ReadsPart.LINKS, ReadsPart.READERS, ReadsPart.FAULTS),
            EnumSet.allOf(ReadsPart.class)),
        Arrays.stream(ReadsPart.values()).map(EnumSet::of));
  }

  @ParameterizedTest
  @MethodSource("partsThatMayBeMeasured")
  void everyMeasurementEndsWithItsFigures(Set<ReadsPart> parts) {
    List<Integer> links = List.of(1000, 3000, 10_000);
    BenchReport report =
        new BenchReport(
            new BenchSettings("tw", "f", "r", 2, 8, 2, 1, links, BenchSuite.READS, parts, 1), null);
    for (BenchPhase phase : ReadsPhases.of(parts, 1 << 21)) {
      BenchFault fault = phase.conditions().fault();
      for (int link : fault == null ? links : List.of(fault.linkMegabits())) {
        for (BenchPhase.Row row : phase.at(link, phase.rows())) {
          report.wrote(phase, row.data(), ONE_MEGABYTE_A_SECOND);
          report.read(phase, link, row, ONE_MEGABYTE_A_SECOND, new Machine.ProcessorShare(0, 0));
        }
      }
    }

    Map<String, Object> figures = ReadsSummary.of(report).figures();

    assertThat(figures)
        .containsKeys(
            "auto_vs_stock_best_1g",
            "auto_vs_stock_best_3g",
            "auto_vs_stock_best_10g",
            "auto_vs_best_other_min",
            "share_of_bound_min",
            "slow_device_ratio",
            "slow_link_ratio",
            "background_writer_ratio");
    assertThat(figures.values())
        .contains(1.0)
        .allMatch(value -> value == null || value.equals(1.0));
  }

  /** What is left out was far behind in five repeats; stock's rows, auto and others are there. */
  @Test
  void theWholeBenchLeavesOutWhatIsFarBehindAndAPartDoesNot() {
    EnumSet<ReadsPart> whole = EnumSet.of(ReadsPart.LINKS, ReadsPart.READERS, ReadsPart.FAULTS);
    Map<String, BenchPhase> phases = new LinkedHashMap<>();
    ReadsPhases.of(whole, 1 << 21).forEach(phase -> phases.put(phase.name(), phase));
    assertThat(readers(phases.get("reads"), 1000)).doesNotContain("greedy", "tier-aware");
    assertThat(readers(phases.get("reads"), 3000)).contains("greedy", "tier-aware");
    assertThat(readers(phases.get("60 readers"), 1000)).contains("hybrid", "dld");
    assertThat(readers(phases.get("fault: slow link"), 1000))
        .containsExactly("stock-considerStorageType", "stock-considerStorageType", "auto", "dld");
    assertThat(phases.get("fault: slow device").turns()).hasSize(2);
    for (BenchPhase phase : phases.values()) {
      for (int link : List.of(1000, 3000, 10_000)) {
        assertThat(readers(phase, link))
            .as(phase.name())
            .contains("auto", "dld")
            .filteredOn("stock-considerStorageType"::equals)
            .hasSize(2);
      }
    }

    BenchPhase links = ReadsPhases.of(EnumSet.of(ReadsPart.LINKS), 1 << 21).get(0);
    assertThat(readers(links, 1000)).contains("greedy", "tier-aware");
    BenchPhase slow = ReadsPhases.of(EnumSet.of(ReadsPart.SLOW_DEVICE), 1 << 21).get(0);
    assertThat(readers(slow, 10_000))
        .contains("greedy", "auto without reports", "auto told of the device");
  }

  private static List<String> readers(BenchPhase phase, int link) {
    return phase.at(link, phase.rows()).stream().map(BenchPhase.Row::access).toList();
  }

  @Test
  void filesOverThreeRacksAreWrittenAndReadBesideThoseOverTwo() {
    BenchPhase phase = ReadsPhases.of(EnumSet.of(ReadsPart.THIRD_RACK), 1 << 21).get(0);
    assertThat(phase.turns().get(1).rows())
        .extracting(row -> row.data().name() + " " + row.access())
        .startsWith("hybrid auto", "hybrid:racks=3 auto")
        .contains("hybrid:racks=3 greedy", "hybrid:racks=3 dld");
    assertThat(phase.turns().get(0).rows()).hasSize(3);
  }

  /** A part alone may take its time; the whole bench keeps within half an hour. */
  @Test
  void aPartThatIsNamedAloneHasAllRepeats() {
    BenchPhase few = ReadsPhases.of(EnumSet.of(ReadsPart.FEW_READERS), 1 << 21).get(0);
    assertThat(few.name()).isEqualTo("3 readers");
    assertThat(few.conditions().repeatsMax()).isEqualTo(Integer.MAX_VALUE);
    BenchPhase slow = ReadsPhases.of(EnumSet.of(ReadsPart.SLOW_DEVICE), 1 << 21).get(0);
    assertThat(slow.name()).isEqualTo("fault: slow device");
    assertThat(slow.conditions().repeatsMax()).isEqualTo(Integer.MAX_VALUE);

    EnumSet<ReadsPart> whole = EnumSet.of(ReadsPart.LINKS, ReadsPart.READERS, ReadsPart.FAULTS);
    assertThat(ReadsPhases.of(whole, 1 << 21))
        .extracting(phase -> phase.conditions().repeatsMax())
        .containsExactly(Integer.MAX_VALUE, 2, 1, 2, 2, 2);
  }

  /** NameNode and clients alike. */
  @Test
  void linksAreToldWronglyByTenEachWay() {
    BenchPhase wrong = ReadsPhases.of(EnumSet.of(ReadsPart.WRONG_LINKS), 1 << 21).get(0);
    assertThat(wrong.turns().subList(1, 4))
        .extracting(turn -> turn.keys(6.25e7).nameNode().get(TierwiseTopology.STRATEGY))
        .containsExactly(
            "auto:link-megabytes-per-second=63",
            "auto:link-megabytes-per-second=6",
            "auto:link-megabytes-per-second=625");
    assertThat(wrong.turns().get(2).rows())
        .extracting(row -> row.specification(6.25e7))
        .containsExactly("auto:link-megabytes-per-second=6");
  }

  /** The same order, with a tier table that tells no uplinks. */
  @Test
  void uplinksAreToldAndNot() {
    BenchPhase phase = ReadsPhases.of(EnumSet.of(ReadsPart.UNTOLD_UPLINKS), 1 << 21).get(0);
    assertThat(phase.turns().subList(1, 3))
        .extracting(turn -> turn.keys(6.25e6).nameNode().get(TierConfiguration.FILE_KEY))
        .containsExactly(null, "untold-uplinks.yaml");
    assertThat(phase.turns().subList(1, 3))
        .flatExtracting(BenchPhase.Turn::rows)
        .extracting(row -> row.specification(6.25e6))
        .containsExactly("auto:link-megabytes-per-second=6", "auto:link-megabytes-per-second=6");
  }

  /** A NameNode that hears of no reads is another one than that of the row beside it. */
  @Test
  void readersThatTellNothingHaveANameNodeThatHearsNothing() {
    String silent = "auto:link-megabytes-per-second=6,reports=false";
    for (ReadsPart part : List.of(ReadsPart.SLOW_DEVICE, ReadsPart.REPORTS)) {
      BenchPhase phase = ReadsPhases.of(EnumSet.of(part), 1 << 21).get(0);
      BenchPhase.Turn without = phase.turns().get(2);
      assertThat(without.rows())
          .extracting(row -> row.specification(6.25e6))
          .containsExactly(silent);
      assertThat(without.keys(6.25e6).nameNode())
          .containsEntry(TierwiseTopology.STRATEGY, silent)
          .containsEntry("dfs.blocksize", "2097152");
      assertThat(phase.turns().get(1).keys(6.25e6).nameNode())
          .containsEntry(TierwiseTopology.STRATEGY, "auto:link-megabytes-per-second=6");
    }
  }

  @Test
  void theNameNodeOrdersByCompletionInItsOwnTurnAndKnowsTheLinks() {
    BenchPhase phase = ReadsPhases.of(EnumSet.of(ReadsPart.LINKS), 1 << 21).get(0);
    DaemonKeys stock = phase.turns().get(0).keys(6.25e6);
    DaemonKeys auto = phase.turns().get(1).keys(6.25e6);
    assertThat(stock.nameNode()).containsOnlyKeys("dfs.namenode.read.considerStorageType");
    assertThat(auto.nameNode())
        .containsEntry("tierwise.namenode.access.strategy", "auto:link-megabytes-per-second=6")
        .containsEntry("dfs.blocksize", "2097152");
  }
}
