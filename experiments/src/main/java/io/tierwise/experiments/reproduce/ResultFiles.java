package io.tierwise.experiments.reproduce;

import io.tierwise.core.message.Csv;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Table;
import io.tierwise.experiments.reproduce.Comparison.Verdict;
import io.tierwise.simulator.report.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the files of a reproduction: {@code ours.csv}, and its part of the page of results. */
public final class ResultFiles {
  static final String OURS_HEADER = "figure,case,metric,value,half_width_95,seeds,unit,verdict";

  private ResultFiles() {}

  /** The lines of {@code ours.csv} by row; rows that were not run are not there. */
  static Map<RowKey, String> lines(List<Comparison> comparisons) {
    Map<RowKey, String> lines = new LinkedHashMap<>();
    for (Comparison each : comparisons) {
      if (each.ours() != null) {
        RowKey key = each.row().key();
        lines.put(
            key,
            Csv.line(
                List.of(
                    key.figure(),
                    key.name(),
                    key.metric(),
                    Printed.number(each.ours().mean()),
                    Printed.number(each.ours().halfWidth()),
                    each.ours().count(),
                    each.row().unit(),
                    each.verdict().text())));
      }
    }
    return lines;
  }

  /** The lines that stand in {@code ours.csv} now. */
  static Map<RowKey, String> committed(Path folder) throws IOException {
    Map<RowKey, String> lines = new LinkedHashMap<>();
    Path file = folder.resolve("ours.csv");
    if (Files.exists(file)) {
      for (List<String> cells : CsvRows.read(file, OURS_HEADER)) {
        lines.put(new RowKey(cells.get(0), cells.get(1), cells.get(2)), Csv.line(cells));
      }
    }
    return lines;
  }

  /** Paper beside ours, for people. */
  public static Table table(List<Comparison> comparisons) {
    Table table =
        new Table()
            .text("figure", "case", "metric")
            .number("paper", "ours")
            .text("unit", "verdict");
    for (Comparison each : comparisons) {
      RowKey key = each.row().key();
      table.row(
          key.figure(),
          key.name(),
          key.metric(),
          each.row().printedText(),
          each.oursText(),
          each.row().unit(),
          each.verdict().text());
    }
    return table;
  }

  /** Writes {@code ours.csv} and the paper's part of the page of results. */
  public static void write(Reproduction reproduction, List<Comparison> comparisons, Path page) {
    writeOurs(reproduction, comparisons);
    writePage(page, reproduction.paper(), completed(reproduction, comparisons));
  }

  /**
   * The page of results: among the project's for its own reproductions, else in the folder that the
   * user named, outside of which nothing of it is his to give.
   *
   * @param folder of all papers
   * @param own the project's
   */
  public static Path page(Path folder, Path own) {
    Path absolute = folder.toAbsolutePath().normalize();
    return absolute.equals(own.toAbsolutePath().normalize())
        ? absolute.resolveSibling("docs/results/reproductions.md")
        : absolute.resolve("reproductions.md");
  }

  /**
   * Refuses results that cannot be written, before hours of runs; makes nothing.
   *
   * @throws OperatorException naming the file
   */
  public static void requireWritable(Reproduction reproduction, Path page) {
    for (Path file : List.of(reproduction.folder().resolve("ours.csv"), page)) {
      Path there = file.toAbsolutePath();
      while (Files.notExists(there)) {
        there = there.getParent();
      }
      boolean isThere = there.equals(file.toAbsolutePath());
      boolean fits = isThere != Files.isDirectory(there);
      if (!fits || !Files.isWritable(there)) {
        throw OperatorException.cluster(
            file + " cannot be written, which holds the results: --no-write only prints them",
            null);
      }
    }
  }

  /** Writes {@code ours.csv}; a row that was not run keeps the line that it had. */
  static void writeOurs(Reproduction reproduction, List<Comparison> comparisons) {
    try {
      Map<RowKey, String> before = committed(reproduction.folder());
      Map<RowKey, String> now = lines(comparisons);
      StringBuilder text = new StringBuilder(OURS_HEADER).append('\n');
      for (Comparison each : comparisons) {
        String line = now.getOrDefault(each.row().key(), before.get(each.row().key()));
        text.append(line == null ? "" : line + "\n");
      }
      Files.writeString(reproduction.folder().resolve("ours.csv"), text.toString());
    } catch (IOException e) {
      throw cannotWrite(reproduction.folder().resolve("ours.csv"), e);
    }
  }

  /** The same with the numbers of {@code ours.csv} where a row was not run: for the page. */
  static List<Comparison> completed(Reproduction reproduction, List<Comparison> comparisons) {
    Map<RowKey, Estimate> before = new LinkedHashMap<>();
    try {
      for (List<String> cells :
          CsvRows.read(reproduction.folder().resolve("ours.csv"), OURS_HEADER)) {
        RowKey key = new RowKey(cells.get(0), cells.get(1), cells.get(2));
        int seeds = Integer.parseInt(cells.get(5));
        before.put(key, new Estimate(number(cells.get(3)), number(cells.get(4)), seeds));
      }
    } catch (IOException | NumberFormatException e) {
      throw OperatorException.badInput(
          reproduction.folder().resolve("ours.csv") + " cannot be read: " + e.getMessage());
    }
    return comparisons.stream()
        .map(each -> each.ours() == null ? each.with(before.get(each.row().key())) : each)
        .toList();
  }

  private static double number(String cell) {
    return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
  }

  private static OperatorException cannotWrite(Path file, IOException e) {
    return OperatorException.cluster(file + " cannot be written: " + e.getMessage(), e);
  }

  /** Replaces the paper's part of the page, between its markers; appends it when it has none. */
  static void writePage(Path page, String paper, List<Comparison> comparisons) {
    String begin = "<!-- " + paper + ": written by `make reproduce`, do not edit -->";
    String end = "<!-- end of " + paper + " -->";
    try {
      String text = Files.exists(page) ? Files.readString(page) : "# Reproductions\n";
      String part = begin + "\n" + markdown(paper, comparisons) + end;
      int from = text.indexOf(begin);
      int to = text.indexOf(end);
      String written =
          from >= 0 && to > from
              ? text.substring(0, from) + part + text.substring(to + end.length())
              : text + "\n" + part + "\n";
      Files.createDirectories(page.toAbsolutePath().getParent());
      Files.writeString(page, written);
    } catch (IOException e) {
      throw cannotWrite(page, e);
    }
  }

  public static String summary(List<Comparison> comparisons) {
    long reproduces = count(comparisons, Verdict.REPRODUCES);
    long misses = count(comparisons, Verdict.DOES_NOT_REPRODUCE);
    long calibrated = count(comparisons, Verdict.CALIBRATED);
    long given = count(comparisons, Verdict.GIVEN);
    long missing = count(comparisons, Verdict.NOT_RUN);
    return reproduces
        + " of "
        + (reproduces + misses)
        + " printed numbers reproduce"
        + (calibrated == 0 ? "" : ", " + calibrated + " more were used for calibration")
        + (given == 0 ? "" : ", " + given + " more are inputs or arithmetic")
        + (missing == 0 ? "" : ", " + missing + " were not run");
  }

  private static long count(List<Comparison> comparisons, Verdict verdict) {
    return comparisons.stream().filter(each -> each.verdict() == verdict).count();
  }

  /** Whether a row does not reproduce, or could not be checked. */
  public static boolean isAnyMissed(List<Comparison> comparisons) {
    return count(comparisons, Verdict.DOES_NOT_REPRODUCE) > 0
        || count(comparisons, Verdict.NOT_RUN) > 0;
  }

  private static String markdown(String paper, List<Comparison> comparisons) {
    StringBuilder text =
        new StringBuilder("\n## " + paper + "\n\n" + summary(comparisons) + ".\n\n");
    String beside = NullScore.of(comparisons).text();
    text.append(beside.isEmpty() ? "" : "Beside the null model: " + beside + ".\n\n");
    text.append("| figure | case | metric | unit | paper | ours | tolerance | verdict |\n");
    text.append("|---|---|---|---|---:|---:|---:|---|\n");
    StringBuilder causes = new StringBuilder();
    for (Comparison each : comparisons) {
      RowKey key = each.row().key();
      boolean misses = each.verdict() == Verdict.DOES_NOT_REPRODUCE;
      text.append(
          "| "
              + String.join(
                  " | ",
                  cell(key.figure()),
                  cell(key.name()),
                  cell(key.metric()),
                  cell(each.row().unit()),
                  each.row().printedText(),
                  each.oursText(),
                  each.toleranceText(),
                  misses ? "**" + each.verdict().text() + "**" : each.verdict().text())
              + " |\n");
      if (misses && !each.cause().isEmpty()) {
        causes.append("- ").append(key.figure()).append(", ").append(key.name()).append(", ");
        causes.append(key.metric()).append(": ").append(each.cause().strip()).append('\n');
      }
    }
    return text + (causes.length() == 0 ? "\n" : "\nWhy a number does not reproduce:\n\n" + causes);
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  /** The rows by name, for programs; null where there is no number. */
  public static List<Object> columns(String paper, List<Comparison> comparisons) {
    List<Object> rows = new ArrayList<>();
    for (Comparison each : comparisons) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("paper", paper);
      row.put("figure", each.row().key().figure());
      row.put("case", each.row().key().name());
      row.put("metric", each.row().key().metric());
      row.put("unit", each.row().unit());
      row.put("printed", each.row().isPrinted() ? each.row().printedText() : null);
      row.put("ours", each.ours() == null ? null : finite(each.ours().mean()));
      row.put("half_width_95", each.ours() == null ? null : finite(each.ours().halfWidth()));
      row.put("no_effect", each.noEffect());
      row.put("tolerance", each.row().isPrinted() ? each.toleranceText() : null);
      row.put("verdict", each.verdict());
      row.put("cause", each.cause());
      rows.add(row);
    }
    return rows;
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}
