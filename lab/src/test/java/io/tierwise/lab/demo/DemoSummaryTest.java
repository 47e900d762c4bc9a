package io.tierwise.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.lab.dfsio.BenchPlace.Distance;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioFigures;
import io.tierwise.lab.dfsio.TaskFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The headline says what the rows say: speed against stock's best, and its price. */
class DemoSummaryTest {
  /** A row whose task reads that many megabytes, a second a repeat's MB/s, part of it from afar. */
  private static BenchRow row(String placement, String access, long network, long... megabytes) {
    List<DfsioFigures> repeats =
        LongStream.of(megabytes)
            .mapToObj(
                speed ->
                    DfsioFigures.of(
                        List.of(
                            new TaskFigures(
                                0,
                                speed * 1_000_000,
                                1_000_000_000,
                                0,
                                Map.of("disk", speed * 1_000_000),
                                Map.of(Distance.REMOTE, network * 1_000_000),
                                List.of())),
                        1_000_000_000,
                        0,
                        0))
            .toList();
    return new BenchRow(placement, access, repeats, repeats);
  }

  private static final List<BenchRow> ROWS =
      List.of(
          row("stock-HOT", "stock", 50, 5, 4, 6),
          row("stock-ONE_SSD", "stock", 60, 9, 9, 9),
          row("stock-ONE_SSD", "stock-considerStorageType", 60, 10, 12, 14),
          row("hybrid", "hybrid", 90, 20, 30, 40),
          row("layout:one-fast", "dld", 65, 24, 24, 24),
          row("random", "random", 95, 1, 1, 1));

  @Test
  void theHeadlineComparesWithStocksBestRowAndSaysThePrice() {
    assertThat(new DemoSummary(ROWS).headline())
        .isEqualTo(
            "Tierwise reads 2.5 times as fast as stock HDFS's best answer on the same devices, and"
                + " moves 1.5 times its bytes over the network (hybrid / hybrid). For a dear"
                + " network: 2.0 times as fast with 1.1 times the bytes (layout:one-fast / dld).");
  }

  @Test
  void fiveRowsBesideTheirRangesAndTheSlowestFirst() {
    DemoSummary summary = new DemoSummary(ROWS);
    assertThat(summary.few())
        .extracting(DemoSummary::name)
        .containsExactly(
            "stock HOT",
            "stock ONE_SSD",
            "stock ONE_SSD, by type",
            "layout:one-fast / dld",
            "hybrid / hybrid");
    assertThat(summary.markdown())
        .contains("| Tierwise hybrid / hybrid | 30.0 | 20.0-40.0 | 2.50 |  | 30.0 | 90 |")
        .contains("median of 3");
  }

  /** The recommended row leads also where another one is faster, and that is said. */
  @Test
  void theRecommendedRowLeads() {
    List<BenchRow> rows = new ArrayList<>(ROWS);
    rows.add(row("layout:one-fast", "auto", 60, 25, 25, 25));
    rows.add(row("hybrid", "auto", 70, 27, 27, 27));
    DemoSummary summary = new DemoSummary(rows);
    assertThat(summary.headline())
        .isEqualTo(
            "Tierwise reads 2.3 times as fast as stock HDFS's best answer on the same devices, and"
                + " moves 1.2 times its bytes over the network (the recommended hybrid / auto)."
                + " Fastest was hybrid / hybrid: 2.5 times.");
    assertThat(summary.timesTheReadRate()).isEqualTo("2.3 times");
    assertThat(summary.few()).extracting(DemoSummary::name).contains("hybrid / auto");
  }

  @Test
  void whenOursIsSlowerTheHeadlineSaysThat() {
    assertThat(new DemoSummary(List.of(ROWS.get(2), ROWS.get(5))).headline())
        .startsWith("Tierwise reads 0.1 times as fast");
  }

  /** Fewer bytes at less than stock's speed are no offer. */
  @Test
  void aFrugalRowThatIsSlowerThanStocksBestIsNotNamed() {
    List<BenchRow> rows = new ArrayList<>(ROWS.subList(0, 4));
    rows.add(row("network-aware", "network-aware", 60, 9, 9, 9));
    DemoSummary summary = new DemoSummary(rows);
    assertThat(summary.headline()).endsWith("(hybrid / hybrid).");
    assertThat(summary.few()).hasSize(5);
  }

  @Test
  void aPartOfThePageIsReplacedAndTheRestStays() {
    String begin = "<!-- table: written by `tierwise demo --pages`, do not edit -->";
    String page = "before\n" + begin + "\nold\n<!-- end of table -->\nafter\n";
    String written = DemoPages.replaced(page, "table", "new");
    assertThat(written).isEqualTo("before\n" + begin + "\n\nnew\n<!-- end of table -->\nafter\n");
    assertThat(DemoPages.replaced(written, "table", "new")).isEqualTo(written);
    assertThat(DemoPages.lastCell("x\n| [a](b) | c | d |\ny", "a", "e"))
        .contains("| [a](b) | c | e |");
  }
}
