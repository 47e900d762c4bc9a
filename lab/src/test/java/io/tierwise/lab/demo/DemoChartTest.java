package io.tierwise.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.lab.dfsio.BenchPlace.Distance;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioFigures;
import io.tierwise.lab.dfsio.TaskFigures;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class DemoChartTest {
  private static BenchRow row(String placement, String access, long bytesPerSecond) {
    DfsioFigures figures =
        DfsioFigures.of(
            List.of(
                new TaskFigures(
                    0,
                    bytesPerSecond,
                    1_000_000_000,
                    0,
                    Map.of("disk", bytesPerSecond),
                    Map.of(Distance.LOCAL, bytesPerSecond),
                    List.of())),
            1_000_000_000,
            0,
            0);
    return new BenchRow(placement, access, List.of(figures), List.of(figures));
  }

  @Test
  void everyRowIsInTheChartAndTheChartIsXml() throws Exception {
    String svg =
        DemoChart.svg(
            List.of(row("stock-HOT", "stock", 3_000_000), row("a<b", "greedy", 30_000_000)),
            "Title & more",
            "below");

    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    assertThat(document.getDocumentElement().getTextContent())
        .contains("stock-HOT / stock", "a<b / greedy", "Title & more", "30.0")
        .as("fastest reads first")
        .containsSubsequence("a<b / greedy", "stock-HOT / stock");
  }
}
