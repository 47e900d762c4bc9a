package io.tierwise.profiles;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an application's runs did, as a line for each figure. Runs that failed are counted and
 * nothing else: a part of the work says nothing of the whole. Runs with data in the fast tier have
 * lines of their own.
 */
public final class Profile {
  /** Config-1: all in the slow tier, as runs are that nobody placed. */
  private static final int ALL_SLOW = 1;

  /** Config-2: input and intermediate data in the fast tier. */
  private static final int ALL_FAST = 2;

  private final ApplicationKey key;

  /** Of runs that were made in a configuration, by its number. */
  private final Map<Integer, Profile> placed = new TreeMap<>();

  private final Map<String, PhaseLines> phases = new LinkedHashMap<>();
  private final LineFit seconds = new LineFit();
  private final TaskSeconds taskSeconds = new TaskSeconds();
  private int runs;
  private int failedRuns;
  private long inputBytesMin = Long.MAX_VALUE;
  private long inputBytesMax;
  private long lastMillis;

  /** The lines of a phase, a figure each. */
  private static final class PhaseLines {
    private final LineFit[] lines = new LineFit[7];

    PhaseLines() {
      Arrays.setAll(lines, i -> new LineFit());
    }

    void add(double input, RunFigures.PhaseFigures phase) {
      double[] figures = {
        phase.tasks(),
        phase.seconds(),
        phase.taskSeconds(),
        phase.readBytes(),
        phase.writtenBytes(),
        phase.spilledBytes(),
        phase.shuffledBytes()
      };
      for (int i = 0; i < figures.length; i++) {
        lines[i].add(input, figures[i]);
      }
    }

    Prediction.PhasePrediction at(String phase, double input) {
      return new Prediction.PhasePrediction(
          phase,
          lines[0].at(input),
          lines[1].at(input),
          lines[2].at(input),
          lines[3].at(input),
          lines[4].at(input),
          lines[5].at(input),
          lines[6].at(input));
    }

    ProfileRow.PhaseRow row(String phase) {
      return new ProfileRow.PhaseRow(
          phase,
          lines[0].mean(),
          lines[1].mean(),
          lines[2].mean(),
          Math.round(lines[3].mean()),
          Math.round(lines[4].mean()),
          Math.round(lines[5].mean()),
          Math.round(lines[6].mean()));
    }
  }

  Profile(ApplicationKey key) {
    this.key = key;
  }

  void add(RunFigures run) {
    int configuration = run.configuration();
    if (configuration > 0) {
      placed.computeIfAbsent(configuration, number -> new Profile(key)).count(run);
    }
    if (configuration <= ALL_SLOW) {
      count(run);
    }
  }

  private void count(RunFigures run) {
    lastMillis = Math.max(lastMillis, run.submitMillis());
    if (!run.succeeded()) {
      failedRuns++;
      return;
    }
    double input = run.inputBytes();
    runs++;
    inputBytesMin = Math.min(inputBytesMin, run.inputBytes());
    inputBytesMax = Math.max(inputBytesMax, run.inputBytes());
    seconds.add(input, run.seconds());
    taskSeconds.add(run);
    for (RunFigures.PhaseFigures phase : run.phases()) {
      phases.computeIfAbsent(phase.phase(), name -> new PhaseLines()).add(input, phase);
    }
  }

  ApplicationKey key() {
    return key;
  }

  /** The row of the application, with means over its runs. */
  ProfileRow row(Map<String, Long> hosts) {
    List<ProfileRow.PhaseRow> rows = new ArrayList<>();
    phases.forEach((name, phase) -> rows.add(phase.row(name)));
    boolean some = runs > 0;
    return new ProfileRow(
        key.application(),
        key.engine(),
        runs,
        failedRuns,
        some ? inputBytesMin : null,
        some ? inputBytesMax : null,
        some ? seconds.mean() : null,
        Instant.ofEpochMilli(lastMillis).toString(),
        rows,
        hosts == null ? null : configurations(),
        hosts == null ? null : ioRequirement(),
        hosts == null ? null : ProfileRow.HostRow.of(hosts));
  }

  /** What fast devices save its tasks, by the runs that were made in both configurations. */
  public IoRequirement ioRequirement() {
    return IoRequirement.of(taskSeconds(ALL_SLOW), taskSeconds(ALL_FAST));
  }

  private TaskSeconds taskSeconds(int configuration) {
    Profile each = placed.get(configuration);
    return each == null ? new TaskSeconds() : each.taskSeconds;
  }

  private List<ProfileRow.ConfigurationRow> configurations() {
    List<ProfileRow.ConfigurationRow> rows = new ArrayList<>();
    placed.forEach(
        (number, each) ->
            rows.add(
                new ProfileRow.ConfigurationRow(
                    number,
                    each.runs,
                    each.failedRuns,
                    each.runs > 0 ? each.inputBytesMin : null,
                    each.runs > 0 ? each.inputBytesMax : null,
                    each.runs > 0 ? each.seconds.mean() : null)));
    return rows;
  }

  /**
   * Estimates a run.
   *
   * @param inputBytes that it would read
   * @throws OperatorException when no run succeeded
   */
  public Prediction predict(long inputBytes) {
    if (runs == 0) {
      throw OperatorException.badInput(
          "no run of \"" + key.application() + "\" succeeded: there is nothing to predict from");
    }
    double input = inputBytes;
    List<Prediction.PhasePrediction> predicted = new ArrayList<>(phases.size());
    phases.forEach((name, phase) -> predicted.add(phase.at(name, input)));
    return new Prediction(
        key.application(),
        key.engine(),
        runs,
        inputBytes,
        seconds.at(input),
        predicted,
        placedAt(input),
        ioRequirement(),
        remarks(inputBytes));
  }

  private List<Prediction.ConfigurationPrediction> placedAt(double input) {
    List<Prediction.ConfigurationPrediction> predicted = new ArrayList<>();
    placed.forEach(
        (number, each) -> {
          if (each.runs > 0) {
            predicted.add(
                new Prediction.ConfigurationPrediction(number, each.runs, each.seconds.at(input)));
          }
        });
    return predicted;
  }

  private List<String> remarks(long inputBytes) {
    List<String> remarks = new ArrayList<>();
    if (inputBytesMax == 0) {
      remarks.add("its runs read no stored data: figures are means, whatever the input");
      return remarks;
    }
    if (runs == 1) {
      remarks.add("one run only: no interval, and figures are in proportion to its input");
    } else if (seconds.oneSize()) {
      remarks.add(
          "all " + runs + " runs read the same: figures are in proportion to that, a guess");
    } else if (runs == 2) {
      remarks.add("two runs only: no interval, a line through two points has no scatter");
    }
    if (inputBytes < inputBytesMin || inputBytes > inputBytesMax) {
      remarks.add(
          Words.bytes(inputBytes)
              + " is not within what runs read, "
              + Words.bytes(inputBytesMin)
              + " to "
              + Words.bytes(inputBytesMax)
              + ": the line may end there");
    }
    return remarks;
  }
}
