package io.tierwise.cli.advise;

import io.tierwise.core.message.Section;
import io.tierwise.experiments.advise.Forecasts;
import io.tierwise.experiments.advise.HtmlPage;
import io.tierwise.experiments.advise.ReplayAnswer;
import io.tierwise.hadoop.inspect.advise.Advice;
import io.tierwise.hadoop.inspect.advise.AdviceText;
import io.tierwise.simulator.report.BarChart;
import io.tierwise.simulator.report.Format;
import java.util.List;

/** The answer as a page. */
final class AdvicePage {
  private AdvicePage() {}

  static HtmlPage of(AdviseAnswer answer) {
    Advice advice = answer.advice();
    ReplayAnswer replay = answer.replay();
    HtmlPage page = new HtmlPage("Advice for what is stored").text(AdviceText.summary(advice));
    advice.remarks().forEach(page::note);
    page.drawing(tiers(advice));
    AdviceText.sections(advice).forEach(page::section);
    page.section(Forecasts.section(answer.forecast()));
    if (replay != null) {
      List<Section> sections = replay.sections();
      page.heading(sections.get(0).title()).drawing(replay.chart()).content(sections.get(0));
      sections.stream().skip(1).forEach(page::section);
    }
    return page;
  }

  private static String tiers(Advice advice) {
    List<BarChart.Bar> bars =
        advice.tiers().stream()
            .map(
                row ->
                    new BarChart.Bar(
                        row.tier() == null ? "not told" : row.tier(),
                        new double[] {
                          (double) row.hotBytes(),
                          (double) row.warmBytes(),
                          (double) row.coldBytes()
                        },
                        Double.NaN,
                        Format.BYTES.text(
                            (double) row.hotBytes() + row.warmBytes() + row.coldBytes())))
            .toList();
    return BarChart.svg(
        "Stored bytes by heat and tier", List.of("hot", "warm", "cold"), bars, "GB", 1e9);
  }
}
