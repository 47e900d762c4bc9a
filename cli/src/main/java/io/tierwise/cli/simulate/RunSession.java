package io.tierwise.cli.simulate;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.Words;
import io.tierwise.experiments.run.CheckWindow;
import io.tierwise.experiments.run.OutputFolder;
import io.tierwise.experiments.run.RunListener;
import io.tierwise.experiments.run.RunRemarks;
import io.tierwise.lab.SignalGuard;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.StoppingRule;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs under way: how far they are, whether they are to end, where their results go. */
final class RunSession implements AutoCloseable {
  private final Output output;
  private final StoppingRule rule;
  private final CheckWindow window;
  private final OutputFolder folder;
  private final RunMeter meter;
  private final SignalGuard signal;

  RunSession(RunOptions options, StoppingRule rule, Output output) {
    this.output = output;
    this.rule = rule;
    this.window = options.checkWindow();
    this.folder = options.outputFolder();
    this.meter = RunOptions.meter(output);
    this.signal = RunOptions.stopSignal(output);
  }

  RunListener meter() {
    return meter;
  }

  boolean stopped() {
    return signal.signalled();
  }

  /** When to check invariants; null when never. */
  CheckWindow window() {
    return window;
  }

  /** The end of runs that brought nothing. */
  int nothing() {
    output.say("interrupted before anything was known");
    return ExitCode.INTERRUPTED;
  }

  /** Writes the results where the user wants them; {@code more} by name of the file. */
  void write(Report report, Object json, Map<String, String> more) throws IOException {
    if (folder != null) {
      folder.write(report, Output.toJson(json));
      for (Map.Entry<String, String> file : more.entrySet()) {
        folder.write(file.getKey(), file.getValue());
      }
    }
  }

  /**
   * Says how it went; the exit code that goes with it.
   *
   * @param wanted how many of {@code things} were to run
   * @param rest lines to say when all of them did
   */
  int end(Report report, int wanted, String things, long checkedEvents, List<String> rest) {
    if (stopped()) {
      output.say(RunRemarks.interrupted(report, wanted, things));
    }
    RunRemarks.of(report).forEach(output::say);
    if (window != null) {
      output.say(window.result(checkedEvents));
    }
    output
        .err()
        .printf(
            Locale.ROOT,
            "%s in %.1f s%s%n",
            Words.count(meter.ended(), "run"),
            meter.elapsedSeconds(),
            folder == null ? "" : ", written to " + folder.path());
    if (stopped()) {
      output.err().flush();
      return ExitCode.INTERRUPTED;
    }
    rest.forEach(output.err()::println);
    output.err().flush();
    List<String> imprecise = RunRemarks.imprecise(report, rule);
    imprecise.forEach(output::say);
    if (RunRemarks.nothingFinished(report)) {
      return ExitCode.CLUSTER;
    }
    return imprecise.isEmpty() ? 0 : ExitCode.FAILED;
  }

  @Override
  public void close() {
    try (signal) {
      if (folder != null) {
        folder.close();
      }
    }
  }
}
