package io.tierwise.lab.demo;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.dfsio.BenchRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Writes a run's figures into the project's pages: between markers there, two rows in README. */
public final class DemoPages {
  private static final String PAGE = "docs/results/hdfs-demo.md";

  private final DemoSummary summary;
  private final List<BenchRow> rows;
  private final PredictionTable predictions;
  private final List<String> tiers;
  private final String work;

  /**
   * @param work how much was written and read, and how often
   */
  public DemoPages(
      DemoSummary summary,
      List<BenchRow> rows,
      PredictionTable predictions,
      List<String> tiers,
      String work) {
    this.summary = summary;
    this.rows = rows;
    this.predictions = predictions;
    this.tiers = tiers;
    this.work = work;
  }

  public void write(String chart) {
    Path home = Path.of(System.getProperty("tierwise.home", ""));
    try {
      Path page = home.resolve(PAGE);
      String changed = Files.readString(page);
      changed = replaced(changed, "headline", summary.markdown());
      changed = replaced(changed, "table", work + ".\n\n" + table());
      changed = replaced(changed, "papers", papers());
      changed = replaced(changed, "predictions", predictions.markdown());
      String readme = readme(Files.readString(home.resolve("README.md")));
      Files.writeString(page, changed);
      Files.writeString(home.resolve("docs/results/hdfs-demo.svg"), chart);
      Files.writeString(home.resolve("README.md"), readme);
    } catch (IOException e) {
      throw OperatorException.cluster("--pages: cannot write in " + home + ": " + e, e);
    }
  }

  /** Puts text between the two markers of a part. */
  static String replaced(String page, String part, String content) {
    String begin = "<!-- " + part + ": written by `tierwise demo --pages`, do not edit -->";
    String end = "<!-- end of " + part + " -->";
    int from = page.indexOf(begin);
    int to = page.indexOf(end);
    if (from < 0 || to < from) {
      throw OperatorException.badInput(
          "--pages: " + PAGE + " has no lines \"" + begin + "\" and \"" + end + "\"");
    }
    return page.substring(0, from) + begin + "\n\n" + content + "\n" + page.substring(to);
  }

  private String table() {
    StringBuilder text =
        new StringBuilder("| placement | access | read MB/s | range | mean | deviation | x best |");
    text.append(" of bound | write MB/s | range |");
    tiers.forEach(tier -> text.append(' ').append(tier).append(" |"));
    text.append(" local | rack | remote | refused | network MB |\n|---|---|");
    text.append("---:|---|---:|---:|---:|---:|---:|---|" + "---:|".repeat(tiers.size() + 5) + "\n");
    for (BenchRow row : rows) {
      Map<String, Object> columns = row.columns(tiers);
      List<String> cells = new ArrayList<>(List.of(row.placement(), row.access()));
      cells.add(megabytes(columns.get("read_megabytes_per_second")));
      cells.add(range(columns, "read"));
      cells.add(megabytes(columns.get("read_average_megabytes_per_second")));
      cells.add(megabytes(columns.get("read_deviation_megabytes_per_second")));
      cells.add(summary.times(row));
      cells.add(Objects.requireNonNullElse(BenchRow.percent(row.shareOfBound()), ""));
      cells.add(megabytes(columns.get("write_megabytes_per_second")));
      cells.add(range(columns, "write"));
      tiers.forEach(tier -> cells.add(percent(columns, tier.replace('-', '_'))));
      cells.add(percent(columns, "local"));
      cells.add(percent(columns, "rack"));
      cells.add(percent(columns, "remote"));
      cells.add(String.valueOf(columns.get("refusals")));
      cells.add(String.format(Locale.ROOT, "%.0f", row.networkBytes() / 1e6));
      text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
    double busiest =
        rows.stream()
            .mapToDouble(row -> (Double) row.columns(tiers).get("processor_share"))
            .max()
            .orElse(0);
    return text
        + String.format(
            Locale.ROOT, "\nProcessors were in use by at most %.0f%% in a row.\n", 100 * busiest);
  }

  private static String megabytes(Object value) {
    return String.format(Locale.ROOT, "%.1f", (Double) value);
  }

  private static String range(Map<String, Object> columns, String phase) {
    return megabytes(columns.get(phase + "_lowest_megabytes_per_second"))
        + " to "
        + megabytes(columns.get(phase + "_highest_megabytes_per_second"));
  }

  private static String percent(Map<String, Object> columns, String share) {
    return String.format(Locale.ROOT, "%.0f%%", 100 * (Double) columns.get("share_" + share));
  }

  private static final String ONE_FAST = DemoPlacement.LAYOUT_ONE_FAST;

  /** The papers' comparisons that the demo has both sides of. */
  private String papers() {
    return "| figure | paper | here |\n|---|---|---|\n"
        + paper(
            "hybrid against network-aware, throughput (hatS 4.3.2)",
            "+32.6%",
            more("read", "hybrid/hybrid", "network-aware/network-aware"))
        + paper(
            "hybrid against network-aware, average rate",
            "+36%",
            more("read_average", "hybrid/hybrid", "network-aware/network-aware"))
        + paper(
            "Greedy against default reads, ONE_SSD, QDR (access strategies, cluster A)",
            "up to 4x",
            times(ONE_FAST + "/greedy", ONE_FAST + "/network-aware"))
        + paper(
            "DLD against Greedy, cluster A",
            "up to +11%",
            more("read", ONE_FAST + "/dld", ONE_FAST + "/greedy"))
        + paper(
            "DLD against default reads, cluster B",
            "up to +33%",
            times(ONE_FAST + "/dld", ONE_FAST + "/network-aware"))
        + paper(
            "order DLD, Balanced, then NBD and SBD (cluster A), MB/s",
            "as listed",
            String.join(
                ", ",
                List.of(
                    "DLD " + read("/dld"),
                    "Balanced " + read("/balanced:50"),
                    "NBD " + read("/nbd:threshold=4"),
                    "SBD " + read("/sbd"))));
  }

  private static String paper(String figure, String printed, String here) {
    return "| " + figure + " | " + printed + " | " + here + " |\n";
  }

  private double figure(String name, String row) {
    return rows.stream()
        .filter(each -> (each.placement() + "/" + each.access()).equals(row))
        .mapToDouble(each -> (Double) each.columns(tiers).get(name + "_megabytes_per_second"))
        .findFirst()
        .orElse(Double.NaN);
  }

  private String read(String access) {
    return megabytes(figure("read", ONE_FAST + access));
  }

  private String more(String name, String row, String other) {
    return String.format(
        Locale.ROOT, "%+.0f%%", 100 * (figure(name, row) / figure(name, other) - 1));
  }

  private String times(String row, String other) {
    return String.format(Locale.ROOT, "%.1fx", figure("read", row) / figure("read", other));
  }

  private String readme(String readme) {
    List<PredictionTable.Verdict> verdicts = predictions.verdicts();
    PredictionTable.Verdict given = verdicts.get(2);
    PredictionTable.Verdict before = verdicts.get(0);
    String predicted =
        String.format(
            Locale.ROOT,
            "given a run's own draws %.0f%% off on average, %d of %d rows within 10%%; beforehand"
                + " %.0f%%, %d of %d",
            100 * given.meanError(),
            given.within(),
            given.rows(),
            100 * before.meanError(),
            before.within(),
            before.rows());
    return lastCell(
        lastCell(
            readme, "emulated devices, one process", summary.timesTheReadRate() + " the read rate"),
        "the simulator's predictions",
        predicted);
  }

  /** Replaces the last cell of the row of README's table whose first cell links with that text. */
  static String lastCell(String readme, String link, String cell) {
    String[] lines = readme.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].startsWith("| [" + link + "]")) {
        int end = lines[i].lastIndexOf(" |");
        int start = lines[i].lastIndexOf(" | ", end - 1);
        lines[i] = lines[i].substring(0, start) + " | " + cell + " |";
        return String.join("\n", lines);
      }
    }
    throw OperatorException.badInput("--pages: README.md has no row \"" + link + "\"");
  }
}
