package io.tierwise.lab.demo;

import io.tierwise.core.message.Table;
import io.tierwise.lab.demo.DemoPrediction.Rate;
import io.tierwise.lab.demo.DemoTwin.Phase;
import io.tierwise.lab.dfsio.BenchRow;
import io.tierwise.lab.dfsio.DfsioFigures;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Measurements beside the simulator's predictions. */
public final class PredictionTable {
  private static final double MEGABYTE = 1e6;

  /** The error that is promised not to be exceeded. */
  private static final double ERROR_MAX = 0.10;

  private static final String WRITE = "(write)";

  private final List<Line> lines;

  /** A row's reads or writes; writes have no access strategy. */
  private record Line(
      String placement,
      String access,
      List<Double> repeats,
      double measured,
      Optional<Rate> beforehand,
      Optional<Rate> sameBlocks,
      Optional<Rate> sameReplicas) {

    String name() {
      return placement + " / " + access;
    }

    double error(Rate rate) {
      return rate.mean() / measured - 1;
    }

    double lowest() {
      return repeats.stream().mapToDouble(rate -> rate).min().orElse(measured);
    }

    double highest() {
      return repeats.stream().mapToDouble(rate -> rate).max().orElse(measured);
    }
  }

  private PredictionTable(List<Line> lines) {
    this.lines = lines;
  }

  /** Predicts every row's reads, and every placement's writes, as far as the twin knows them. */
  public static PredictionTable of(DemoPrediction prediction, List<DemoRow> rows)
      throws IOException {
    Set<String> written = new HashSet<>();
    List<Callable<Line>> work = new ArrayList<>();
    for (DemoRow row : rows) {
      if (written.add(row.row().placement())) {
        work.add(() -> writes(prediction, row));
      }
      work.add(() -> reads(prediction, row));
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Line> lines = new ArrayList<>();
      for (Future<Line> line : threads.invokeAll(work)) {
        lines.add(line.get());
      }
      return new PredictionTable(lines);
    } catch (ExecutionException e) {
      throw new IOException("a prediction failed: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while predicting");
    } finally {
      threads.shutdownNow();
    }
  }

  private static Line writes(DemoPrediction prediction, DemoRow row) throws IOException {
    BenchRow figures = row.row();
    Optional<Rate> onSameBlocks = prediction.onSameBlocks(Phase.WRITE, row);
    return new Line(
        figures.placement(),
        WRITE,
        rates(figures.writes()),
        figures.writeBytesPerSecond(),
        prediction.beforehand(Phase.WRITE, figures),
        onSameBlocks,
        onSameBlocks);
  }

  private static Line reads(DemoPrediction prediction, DemoRow row) throws IOException {
    BenchRow figures = row.row();
    return new Line(
        figures.placement(),
        figures.access(),
        rates(figures.reads()),
        figures.readBytesPerSecond(),
        prediction.beforehand(Phase.READ, figures),
        prediction.onSameBlocks(Phase.READ, row),
        prediction.fromSameReplicas(row));
  }

  private static List<Double> rates(List<DfsioFigures> figures) {
    return figures.stream().map(DfsioFigures::throughputBytesPerSecond).toList();
  }

  /** Adds what is said beforehand to each row's columns; null where nothing is predicted. */
  public void addTo(List<Map<String, Object>> columns) {
    for (Map<String, Object> row : columns) {
      for (Line line : lines) {
        boolean isWrite = line.access().equals(WRITE);
        if (line.placement().equals(row.get("placement"))
            && (isWrite || line.access().equals(row.get("access")))) {
          String name = isWrite ? "predicted_write" : "predicted_read";
          row.put(name + "_megabytes_per_second", rounded(line.beforehand()));
          row.put(name + "_same_blocks_megabytes_per_second", rounded(line.sameBlocks()));
          row.put(name + "_same_replicas_megabytes_per_second", rounded(line.sameReplicas()));
        }
      }
    }
  }

  private static Double rounded(Optional<Rate> rate) {
    return rate.map(known -> Math.round(known.mean() / 1e3) / 1e3).orElse(null);
  }

  private static final List<String> TITLES =
      List.of(
          "placement",
          "access",
          "measured",
          "repeats",
          "beforehand",
          "8 of 10",
          "error",
          "same blocks",
          "8 of 10",
          "error",
          "same replicas",
          "error");

  private static String[] cells(Line line) {
    return new String[] {
      line.placement(),
      line.access(),
      megabytes(line.measured()),
      range(line.lowest(), line.highest()),
      line.beforehand().map(rate -> megabytes(rate.mean())).orElse(null),
      line.beforehand().map(PredictionTable::rangeOf).orElse(null),
      error(line, line.beforehand()),
      line.sameBlocks().map(rate -> megabytes(rate.mean())).orElse(null),
      line.sameBlocks().map(PredictionTable::rangeOf).orElse(null),
      error(line, line.sameBlocks()),
      line.sameReplicas().map(rate -> megabytes(rate.mean())).orElse(null),
      error(line, line.sameReplicas())
    };
  }

  /** Explains the columns in a sentence or two. */
  public static String explanation() {
    return "Predicted by the simulator: the same policies on a twin of this cluster, nothing"
        + " fitted, "
        + DemoPrediction.SAMPLES
        + " times. MB/s of a task: measured is the median of the repeats, predicted the"
        + " mean of the times; then the range of the repeats, and what chance gives eight"
        + " times of ten. From left to right, the twin knows more of this run.";
  }

  /** The rows as people read them; a dash where nothing is predicted. */
  public Table table() {
    Table table = new Table().text(TITLES.get(0), TITLES.get(1));
    TITLES.subList(2, TITLES.size()).forEach(table::number);
    lines.forEach(line -> table.row((Object[]) cells(line)));
    return table;
  }

  /** The lines below the table: how good the predictions were. */
  public List<String> legend() {
    return verdicts().stream().map(Verdict::text).toList();
  }

  /** The table as Markdown, with what it comes to below. */
  String markdown() {
    StringBuilder text = new StringBuilder("| " + String.join(" | ", TITLES) + " |\n");
    text.append("|---|---|---:|---|---:|---|---:|---:|---|---:|---:|---:|\n");
    for (Line line : lines) {
      List<String> row = Arrays.stream(cells(line)).map(cell -> cell == null ? "" : cell).toList();
      text.append("| ").append(String.join(" | ", row)).append(" |\n");
    }
    text.append('\n');
    verdicts().forEach(verdict -> text.append("- ").append(verdict.text()).append('\n'));
    return text.toString();
  }

  /** How good a prediction was over all rows that have one. */
  public record Verdict(
      String known, int rows, int within, double meanError, double most, String tail) {
    public String text() {
      return String.format(
          Locale.ROOT,
          "%s: mean error %.0f%%, %d of %d rows within 10%%, the largest %.0f%% %s.",
          known,
          100 * meanError,
          within,
          rows,
          100 * most,
          tail);
    }
  }

  /** Beforehand; knowing the blocks; knowing the replicas. */
  public List<Verdict> verdicts() {
    return List.of(
        verdict("Beforehand, knowing nothing of this run", Line::beforehand),
        verdict("Knowing where its blocks and tasks were", Line::sameBlocks),
        verdict(
            "Knowing all that chance decided, the replicas that were read, too",
            Line::sameReplicas));
  }

  private Verdict verdict(String known, Function<Line, Optional<Rate>> rates) {
    int rows = 0;
    int within = 0;
    int byChance = 0;
    int inRange = 0;
    double sum = 0;
    double largest = 0;
    String worst = "";
    for (Line line : lines) {
      Rate rate = rates.apply(line).orElse(null);
      if (rate == null) {
        continue;
      }
      double error = Math.abs(line.error(rate));
      rows++;
      within += error <= ERROR_MAX ? 1 : 0;
      byChance += rate.leavesToChance() ? 1 : 0;
      boolean inside = line.measured() >= rate.low() && line.measured() <= rate.high();
      inRange += rate.leavesToChance() && inside ? 1 : 0;
      sum += error;
      if (error > largest) {
        largest = error;
        worst = line.name();
      }
    }
    String chance = inRange + " of " + byChance + " within the twin's own eight of ten";
    return new Verdict(
        known,
        rows,
        within,
        sum / Math.max(1, rows),
        largest,
        "(" + worst + ")" + (byChance > 0 ? "; " + chance : ""));
  }

  private static String megabytes(double bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / MEGABYTE);
  }

  private static String range(double low, double high) {
    return megabytes(low) + " to " + megabytes(high);
  }

  private static String rangeOf(Rate rate) {
    return rate.leavesToChance() ? range(rate.low(), rate.high()) : "";
  }

  private static String error(Line line, Optional<Rate> rate) {
    return rate.map(known -> String.format(Locale.ROOT, "%+.0f%%", 100 * line.error(known)))
        .orElse(null);
  }
}
