package io.tierwise.cli.testbed.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.testbed.plan.DaemonKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadsSummaryTest {
  private static final BenchPhase.Row STOCK = new BenchPhase.Row(BenchDataSet.ONE_SSD, "stock");
  private static final BenchPhase.Row GREEDY = new BenchPhase.Row(BenchDataSet.HYBRID, "greedy");

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
  void theNameNodeOrdersByCompletionInItsOwnTurnAndKnowsTheLinks() {
    BenchPhase phase = BenchPhase.reads(1 << 21).get(0);
    DaemonKeys stock = phase.turns().get(0).keys(6.25e6);
    DaemonKeys auto = phase.turns().get(1).keys(6.25e6);
    assertThat(stock.nameNode()).containsOnlyKeys("dfs.namenode.read.considerStorageType");
    assertThat(auto.nameNode())
        .containsEntry("tierwise.namenode.access.strategy", "auto:link-megabytes-per-second=6")
        .containsEntry("dfs.blocksize", "2097152");
  }
}
