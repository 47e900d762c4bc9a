package io.tierwise.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportTest {
  private static final Report REPORT =
      new Report(List.of(Sample.runs("stock", 100), Sample.runs("a,\"b\"", 80, 82, 78)));

  @Test
  void theTableIsWhatItWas() {
    StringBuilder table = new StringBuilder();
    for (List<String> row : REPORT.rows()) {
      table.append(String.join(" | ", row)).append('\n');
    }
    assertThat(table.toString())
        .isEqualTo(
            """
            makespan | 100 s | 80.0 s ±6.2% (-20%)
            job, mean | 50.0 s | 40.0 s ±6.2% (-20%)
            job, median | 3.00 s | 3.00 s (+0%)
            job, 95% | 4.00 s | 4.00 s (+0%)
            jobs finished | 2 | 2
            tasks | 11 | 11
            read | 1.00 kB | 1.00 kB
            read rate of tasks | 50.0 MB/s | 50.0 MB/s (+0%)
              mean over tasks | 51.0 MB/s | 51.0 MB/s (+0%)
              deviation over tasks | 1.00 MB/s | 1.00 MB/s (+0%)
              from sata-ssd | 60.0% | 60.0%
              from hdd | 20.0% | 20.0%
              from page caches | 20.0% | 20.0%
              on the same node | 30.0% | 30.0%
              in the same rack | 30.0% | 30.0%
              from other racks | 40.0% | 40.0%
            written | 2.00 kB | 2.00 kB
            write rate of tasks | 20.0 MB/s | 20.0 MB/s (+0%)
              mean over tasks | 21.0 MB/s | 21.0 MB/s (+0%)
              to sata-ssd | 16.7% | 16.7%
              to hdd | 83.3% | 83.3%
            blocks in one rack | 25.0% | 25.0%
            network | 4.00 GB | 4.00 GB (+0%)
              between racks | 1.00 GB | 1.00 GB (+0%)
            shuffled | 500 B | 500 B
            written by devices | 3 B | 3 B (+0%)
            energy | 1.00 kJ | 1.00 kJ (+0%)
              of devices | 100 J | 100 J (+0%)
            hardware | $6,500 | $6,500
            storage, a GB | $0.208 | $0.208 (+0%)
            loss risk/day | 7.6e-10 | 7.6e-10
            """);
  }

  @Test
  void theCsvHasALineARunAndQuotesWhatNeedsIt() {
    List<String> lines = REPORT.csv().lines().toList();
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0)).startsWith("case,placement,access,seed,complete,makespan_seconds,");
    assertThat(lines.get(1)).startsWith("stock,hybrid,greedy,1,true,100,50,3,4,2,0,11,1000,");
    assertThat(lines.get(2)).startsWith("\"a,\"\"b\"\"\",hybrid,greedy,1,true,80,");
    assertThat(lines.get(4)).endsWith(",1234,abcdef");
    assertThat(
            lines.stream()
                .map(line -> line.replace("\"a,\"\"b\"\"\"", "x").split(",", -1).length)
                .distinct())
        .hasSize(1);
  }

  @Test
  @SuppressWarnings("unchecked")
  void theJsonHasEstimatesRunsAndNoNumberThatIsNone() {
    Map<String, Object> json = REPORT.json();
    List<Map<String, Object>> cases = (List<Map<String, Object>>) json.get("cases");
    Map<String, Map<String, Object>> figures =
        (Map<String, Map<String, Object>>) cases.get(1).get("figures");
    assertThat(figures.get("makespan_seconds"))
        .containsEntry("mean", 80.0)
        .containsEntry("count", 3);
    assertThat((Double) figures.get("makespan_seconds").get("half_width_95")).isBetween(4.96, 4.97);
    assertThat(json.toString())
        .doesNotContain("NaN")
        .contains("log_hash=abcdef")
        .contains("sata-ssd={joules=40.0, written_bytes=1}");
  }

  @Test
  void anInterruptedCaseIsMarked() {
    RunCase broken = new RunCase("hybrid", Sample.SCENARIO, List.of(Sample.run(1, 5, false)));
    assertThat(Report.title(broken)).isEqualTo("hybrid (interrupted)");
    assertThat(new Report(List.of(broken)).csv()).contains(",1,false,");
  }

  @Test
  void everyChartIsXmlAndNamesEachCase() throws Exception {
    Map<String, String> charts = Charts.of(REPORT);
    assertThat(charts.keySet())
        .contains(
            "makespan.svg",
            "read-rate.svg",
            "reads-by-tier.svg",
            "reads-by-distance.svg",
            "network.svg",
            "energy.svg",
            "storage-cost.svg",
            "time-reads.svg");
    for (Map.Entry<String, String> chart : charts.entrySet()) {
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(chart.getValue())));
      assertThat(document.getDocumentElement().getTextContent())
          .as(chart.getKey())
          .contains("stock", "a,\"b\"")
          .doesNotContain("NaN", "Infinity");
    }
  }

  @Test
  void theFrontIsWhatNoOtherPointBeats() {
    List<double[]> points =
        List.of(
            new double[] {1, 9},
            new double[] {2, 5},
            new double[] {3, 5},
            new double[] {9, 1},
            new double[] {9, 2},
            new double[] {0, Double.NaN},
            new double[] {2, 5});
    assertThat(Pareto.front(points)).containsExactly(true, true, false, true, false, false, true);
  }

  /** As sums of one and the same in another order. */
  @Test
  void whatDiffersByRoundingIsNoGain() {
    double sum = 0.1 + 0.2;
    assertThat(sum).isGreaterThan(0.3);
    assertThat(Pareto.front(List.of(new double[] {0.3, 7}, new double[] {sum, 7})))
        .containsExactly(true, true);
    assertThat(Pareto.front(List.of(new double[] {0.3, 7}, new double[] {sum, 6})))
        .as("worse by rounding alone, and better")
        .containsExactly(false, true);
    assertThat(Pareto.differ(new double[] {sum, 0.3, 0})).isTrue();
    assertThat(Pareto.differ(new double[] {sum, 0.3})).isFalse();
  }

  @Test
  void aGainOfMoreThanTheToleranceIsOne() {
    double more = 1 + 1.01 * Pareto.TOLERANCE;
    double same = 1 + 0.99 * Pareto.TOLERANCE;
    assertThat(Pareto.front(List.of(new double[] {5, more}, new double[] {5, 1})))
        .containsExactly(false, true);
    assertThat(Pareto.front(List.of(new double[] {5, same}, new double[] {5, 1})))
        .containsExactly(true, true);
    assertThat(Pareto.front(List.of(new double[] {-5, -1}, new double[] {-5, -more})))
        .containsExactly(false, true);
    assertThat(Pareto.differ(new double[] {1e300, Double.POSITIVE_INFINITY})).isTrue();
    assertThat(Pareto.differ(new double[] {0.0, -0.0})).isFalse();
  }

  /** Each of three beats the next one if a loss within the tolerance is none. */
  @Test
  void aRingOfPointsDoesNotBeatEachOtherAway() {
    double gain = 1.2 * Pareto.TOLERANCE;
    List<double[]> ring =
        List.of(
            new double[] {1, 1 + gain / 2, 1 + gain},
            new double[] {1 + gain, 1, 1 + gain / 2},
            new double[] {1 + gain / 2, 1 + gain, 1});
    assertThat(Pareto.front(ring)).containsExactly(true, true, true);
  }

  @Test
  void theScatterChartLeavesOutWhatHasNoPlace() {
    String svg =
        ScatterChart.svg(
            "Front",
            Figure.named("energy_joules"),
            Figure.named("makespan_seconds"),
            List.of(
                new ScatterChart.Point("one", 1, 2, true),
                new ScatterChart.Point("none", Double.NaN, 2, false)));
    assertThat(svg).contains(">one<").doesNotContain(">none<").doesNotContain("NaN");
  }

  /** As prices of clusters whose sums were rounded differently. */
  @Test
  void theScatterChartEndsWherePointsDifferByRoundingAlone() {
    String svg =
        ScatterChart.svg(
            "Front",
            Figure.named("storage_dollars_per_gigabyte"),
            Figure.named("makespan_seconds"),
            List.of(
                new ScatterChart.Point("one", 0.05, 100, true),
                new ScatterChart.Point("two", Math.nextUp(0.05), 90, true)));
    assertThat(svg.lines().filter(line -> line.startsWith("<line"))).hasSizeBetween(6, 40);
    assertThat(svg).contains(">one<", ">two<");
  }
}
