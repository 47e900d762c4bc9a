package io.tierwise.cli.secondary;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.cli.file.PathsParameter;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.secondary.SecondaryReport;
import io.tierwise.hadoop.secondary.SecondaryRun;
import io.tierwise.hadoop.secondary.SecondarySettings;
import io.tierwise.hadoop.secondary.SecondaryTier;
import io.tierwise.lab.SignalGuard;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that goes through files, one after the other, with its progress on a terminal. */
abstract class SecondaryRunCommand extends ClusterCommand {
  @Mixin protected PathsParameter paths;

  @Option(
      names = "--bandwidth",
      paramLabel = "MB",
      defaultValue = "100",
      description = "Megabytes a second that are read or written (default: ${DEFAULT-VALUE}).")
  private int bandwidth;

  /** Percent of the place that files go to. */
  protected double keepFree() {
    return 0;
  }

  /** The kind of run, with the words for what it would do and for what it did. */
  protected record Verb(SecondaryRun.Kind kind, String would, String did) {}

  /**
   * Runs.
   *
   * @param journal null for what changes nothing
   */
  protected int run(Verb verb, boolean dryRun, JournalOptions journal) throws IOException {
    SecondarySettings settings = SecondarySettings.of(bandwidth, keepFree());
    Configuration conf = cluster.configuration();
    SecondaryTier.prepare(conf);
    try (StoredFiles files = paths.find(conf);
        SecondaryTier tier = SecondaryTier.of(files.fs(), conf)) {
      SecondaryReport plan = new SecondaryRun(tier, settings, verb.kind()).plan(files.plainPaths());
      if (dryRun) {
        print(plan, verb.would());
        return ExitCode.failedUnless(plan.complete());
      }
      SecondaryRun run = new SecondaryRun(tier, settings, verb.kind());
      boolean signalled;
      SecondaryReport report;
      try (SignalGuard signal =
          SignalGuard.asking(() -> output.say("ended in the middle of a file: run it again"))) {
        report =
            run.run(
                files.plainPaths(),
                plan,
                journal == null ? null : journal.start(conf, files, tier.target().toString()),
                new TerminalListener(output),
                signal::signalled);
        signalled = signal.signalled();
        // Here: after a signal the process ends with the guard.
        print(report, verb.did());
      }
      return signalled ? ExitCode.INTERRUPTED : ExitCode.failedUnless(report.complete());
    }
  }

  private void print(SecondaryReport report, String did) {
    output.answer(report, () -> report.lines(did).forEach(output::fold));
  }
}
