package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.cluster.DeviceClass;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import io.tierwise.policies.movement.PredictedSeconds;
import io.tierwise.policies.movement.StorageConfiguration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What an application did in each configuration, or would be run with.
 *
 * @param moves of the input, from where it was when it was planned
 * @param configurations in the order of Table 6.3; those that were not reached are missing
 * @param choice what DUX would choose by these; null unless all were run
 * @param addedRuns that are new in the catalog
 * @param remarks what else is to be known
 * @param doubts why figures may not be what they seem
 * @param notBack what of the input is not where it was
 * @param stopped whether somebody ended it
 */
public record ProfilingReport(
    List<String> input,
    int files,
    long inputBytes,
    String fastTier,
    String slowTier,
    List<Move> moves,
    List<ConfigurationRow> configurations,
    ConfigurationChoice choice,
    int addedRuns,
    List<String> remarks,
    List<String> doubts,
    List<String> notBack,
    boolean stopped) {

  /** What comes to a tier. */
  public record Move(String tier, long replicas, long bytes, double seconds) {}

  /**
   * A configuration.
   *
   * @param configuration its number in Table 6.3
   * @param command that it would be run with, in a plan; else null
   * @param seconds of each run
   * @param failure why the last run failed; null when none did
   * @param jobs that a run had, as a mean
   * @param phases sums over the jobs of a run, as means over runs
   */
  public record ConfigurationRow(
      int configuration,
      String inputTier,
      String intermediateTier,
      List<String> command,
      List<Double> seconds,
      String failure,
      double jobs,
      List<PhaseRow> phases) {
    double meanSeconds() {
      return seconds.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    long bytes(ToLongFunction<PhaseRow> of) {
      return phases.stream().mapToLong(of).sum();
    }
  }

  /**
   * A phase.
   *
   * @param seconds from its first task's start to its last one's end
   * @param spilledBytes written to local directories: intermediate data
   */
  public record PhaseRow(
      String phase,
      double seconds,
      long readBytes,
      long writtenBytes,
      long spilledBytes,
      long shuffledBytes) {}

  /** Whether all was run, is what it seems, and is where it was. */
  public boolean complete() {
    return !stopped
        && doubts.isEmpty()
        && notBack.isEmpty()
        && configurations.stream().allMatch(row -> row.failure() == null);
  }

  /** A row a configuration. */
  public Table table() {
    Table table = new Table().text("configuration", "input", "intermediate").number("time");
    boolean several = configurations.stream().anyMatch(row -> row.seconds().size() > 1);
    if (several) {
      table.number("least", "most");
    }
    List<String> phases =
        configurations.stream()
            .flatMap(row -> row.phases().stream())
            .map(PhaseRow::phase)
            .distinct()
            .toList();
    table.number(phases.toArray(String[]::new)).number("read", "written", "spilled").keys(3);
    for (ConfigurationRow row : configurations) {
      table.row(cells(row, several, phases).toArray());
    }
    return table;
  }

  private static List<Object> cells(ConfigurationRow row, boolean several, List<String> phases) {
    List<Object> cells = new ArrayList<>();
    cells.add("Config-" + row.configuration());
    cells.add(row.inputTier());
    cells.add(row.intermediateTier());
    boolean ran = row.failure() == null && !row.seconds().isEmpty();
    cells.add(ran ? Words.duration(row.meanSeconds()) : row.failure());
    if (several) {
      cells.add(ran ? Words.duration(Collections.min(row.seconds())) : null);
      cells.add(ran ? Words.duration(Collections.max(row.seconds())) : null);
    }
    for (String phase : phases) {
      cells.add(
          row.phases().stream()
              .filter(each -> each.phase().equals(phase))
              .map(each -> Words.duration(each.seconds()))
              .findFirst()
              .orElse(null));
    }
    boolean known = !row.phases().isEmpty();
    cells.add(known ? Words.bytes(row.bytes(PhaseRow::readBytes)) : null);
    cells.add(known ? Words.bytes(row.bytes(PhaseRow::writtenBytes)) : null);
    cells.add(known ? Words.bytes(row.bytes(PhaseRow::spilledBytes)) : null);
    return cells;
  }

  /** What the table does not say, a line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (choice != null) {
      lines.add(choice.text());
    }
    for (ConfigurationRow row : configurations) {
      if (row.failure() != null) {
        lines.add(
            "Config-"
                + row.configuration()
                + " failed ("
                + row.failure()
                + "): no further run was made, and nothing is chosen");
      }
    }
    lines.add(
        "Time is the command's, from its start to its end; phases are those of its jobs, by their"
            + " history. Spilled bytes go to local directories. "
            + Words.count(addedRuns, "run")
            + " added to the catalog.");
    return lines;
  }

  /** The plan for people. */
  public List<String> planLines() {
    List<String> lines = new ArrayList<>();
    lines.add("input: " + Words.count(files, "file") + " with " + Words.bytes(inputBytes));
    for (Move move : moves) {
      lines.add(
          "to "
              + move.tier()
              + ": "
              + Words.count(move.replicas(), "replica")
              + " ("
              + Words.bytes(move.bytes())
              + ") from where they are now, in about "
              + Words.duration(move.seconds()));
    }
    for (ConfigurationRow row : configurations) {
      lines.add(
          "Config-"
              + row.configuration()
              + ": input in "
              + row.inputTier()
              + ", intermediate data in "
              + row.intermediateTier()
              + ": "
              + String.join(" ", row.command()));
    }
    lines.addAll(remarks);
    return lines;
  }

  /** Collects what is reported. */
  static final class Builder {
    private final List<String> input;
    private final InputFiles files;
    private final String fastTier;
    private final String slowTier;
    private final List<Move> moves = new ArrayList<>();
    private final Map<StorageConfiguration, ConfigurationRow> rows = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<String> doubts = new ArrayList<>();
    private final List<String> notBack = new ArrayList<>();
    private ConfigurationChoice choice;
    private int addedRuns;
    private boolean isStopped;

    Builder(List<String> input, InputFiles files, String fastTier, String slowTier) {
      this.input = input;
      this.files = files;
      this.fastTier = fastTier;
      this.slowTier = slowTier;
    }

    InputFiles files() {
      return files;
    }

    void move(String tier, List<MoverReport> plans) {
      moves.add(
          new Move(
              tier,
              plans.stream().mapToLong(plan -> plan.moved().replicas()).sum(),
              plans.stream().mapToLong(plan -> plan.moved().bytes()).sum(),
              plans.stream().mapToDouble(MoverReport::seconds).sum()));
    }

    void planned(
        StorageConfiguration configuration,
        String inputTier,
        String intermediateTier,
        List<String> command) {
      rows.put(
          configuration,
          new ConfigurationRow(
              configuration.number(),
              inputTier,
              intermediateTier,
              command,
              List.of(),
              null,
              0,
              List.of()));
    }

    /** One more run of a configuration. */
    void ran(
        StorageConfiguration configuration,
        String inputTier,
        String intermediateTier,
        ConfigurationRun.Ran ran) {
      ConfigurationRow before = rows.get(configuration);
      List<Double> seconds = new ArrayList<>(before == null ? List.of() : before.seconds());
      int runs = seconds.size();
      seconds.add(ran.seconds());
      rows.put(
          configuration,
          new ConfigurationRow(
              configuration.number(),
              inputTier,
              intermediateTier,
              null,
              seconds,
              ran.failure(),
              ((before == null ? 0 : before.jobs() * runs) + ran.jobs().size()) / (runs + 1),
              means(before == null ? List.of() : before.phases(), runs, ran.jobs())));
    }

    /** The means with one more run. */
    private static List<PhaseRow> means(List<PhaseRow> before, int runs, List<RunRecord> jobs) {
      Map<String, double[]> sums = new LinkedHashMap<>();
      for (PhaseRow row : before) {
        double[] sum = sums.computeIfAbsent(row.phase(), name -> new double[5]);
        sum[0] += row.seconds() * runs;
        sum[1] += (double) row.readBytes() * runs;
        sum[2] += (double) row.writtenBytes() * runs;
        sum[3] += (double) row.spilledBytes() * runs;
        sum[4] += (double) row.shuffledBytes() * runs;
      }
      for (RunRecord job : jobs) {
        for (Phase phase : job.phases()) {
          double[] sum = sums.computeIfAbsent(phase.name(), name -> new double[5]);
          sum[0] += Math.max(0, phase.endMillis() - phase.startMillis()) / 1e3;
          sum[1] += phase.readBytes();
          sum[2] += phase.writtenBytes();
          sum[3] += phase.spilledBytes();
          sum[4] += phase.shuffledBytes();
        }
      }
      double all = runs + 1;
      List<PhaseRow> rows = new ArrayList<>();
      sums.forEach(
          (name, sum) ->
              rows.add(
                  new PhaseRow(
                      name,
                      sum[0] / all,
                      Math.round(sum[1] / all),
                      Math.round(sum[2] / all),
                      Math.round(sum[3] / all),
                      Math.round(sum[4] / all))));
      return rows;
    }

    /** All were run: what DUX would choose. */
    void choose(DeviceClass fast, DeviceClass slow, long roomBytes) {
      ConfigurationRow usual = rows.get(StorageConfiguration.ALL_SLOW);
      PredictedSeconds seconds =
          new PredictedSeconds(
              usual.meanSeconds(),
              rows.get(StorageConfiguration.FAST_INTERMEDIATE).meanSeconds(),
              rows.get(StorageConfiguration.FAST_INPUT).meanSeconds(),
              rows.get(StorageConfiguration.ALL_FAST).meanSeconds());
      choice =
          ConfigurationChoice.of(
              seconds,
              new ConfigurationChoice.Job(files.bytes(), usual.bytes(PhaseRow::spilledBytes)),
              new ConfigurationChoice.Devices(fast, slow, roomBytes));
    }

    void added(int runs) {
      addedRuns += runs;
    }

    void remark(String line) {
      remarks.add(line);
    }

    void doubt(String line) {
      doubts.add(line);
    }

    void notBack(String line) {
      notBack.add(line);
    }

    void stopped() {
      isStopped = true;
    }

    ProfilingReport build() {
      return new ProfilingReport(
          input,
          files.count(),
          files.bytes(),
          fastTier,
          slowTier,
          moves,
          rows.values().stream()
              .sorted(Comparator.comparingInt(ConfigurationRow::configuration))
              .toList(),
          choice,
          addedRuns,
          remarks,
          doubts,
          notBack,
          isStopped);
    }
  }
}
