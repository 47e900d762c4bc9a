package io.tierwise.cli.profile;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.cli.file.MoveOptions;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.cluster.TierTable;
import io.tierwise.hadoop.autotier.profiling.ProfilingReport;
import io.tierwise.hadoop.autotier.profiling.ProfilingRun;
import io.tierwise.hadoop.autotier.profiling.ProfilingWish;
import io.tierwise.hadoop.autotier.profiling.SparkClient;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.lab.SignalGuard;
import io.tierwise.profiles.HistoryImport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise profile run}. */
@Command(
    name = "run",
    description = {
      "Runs an application with its input and its intermediate data in the slow and the fast tier,"
          + " in all four ways, and says what that brings.",
      "DUX's Config-1 to -4: all in the slow tier; all in the fast one; input in the fast one;"
          + " intermediate data in the fast one. All replicas of the input move, by the mover, and"
          + " go back at the end: also after an error, after Ctrl-C, and by the next run after a"
          + " kill. The application's jobs ask for the tier of their intermediate data by"
          + " mapred-site.xml of a copy of the configuration directory, which HADOOP_CONF_DIR names"
          + " to the command. Spark's applications ask for it, and write their event log where it is"
          + " found, by spark-defaults.conf of a copy of Spark's, which SPARK_CONF_DIR names.",
      "Runs of MapReduce jobs and of Spark applications are added to the catalog with their"
          + " configuration. For a cluster that does nothing else meanwhile. Needs HDFS's superuser,"
          + " and the NodeManagers' plug-in.",
      "Exit code 1 when the application fails, when a figure may not be what it seems, or when"
          + " input is not back where it was."
    },
    footer = "  tierwise profile run --input /in -- hadoop jar a.jar /in /out/{run}")
final class ProfileRunCommand extends ClusterCommand {
  @Mixin private CatalogOptions catalog;
  @Mixin private JournalOptions journal;
  @Mixin private MoveOptions bounds;

  @Option(
      names = "--input",
      required = true,
      paramLabel = "PATH",
      description = "A file or a directory that the application reads; may be given again.")
  private List<String> input;

  @Option(
      names = "--fast-tier",
      paramLabel = "TIER",
      description = "As HDFS and the NodeManagers know it (default: the fastest that counts).")
  private String fastTier;

  @Option(
      names = "--slow-tier",
      paramLabel = "TIER",
      description = "The same of the slow one (default: the slowest that counts).")
  private String slowTier;

  @Option(
      names = "--times",
      paramLabel = "N",
      defaultValue = "1",
      description = "Run each configuration so many times, for means (default: 1).")
  private int times;

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = "Count all jobs for this application (default: by the name of each).")
  private String application;

  @Option(
      names = "--spark-conf",
      paramLabel = "DIR",
      description =
          "Directory of Spark's spark-defaults.conf (default: SPARK_CONF_DIR, else SPARK_HOME/conf).")
  private Path sparkConf;

  @Option(names = "--dry-run", description = "Say what would move and run; change nothing.")
  private boolean dryRun;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = {
        "Runs the application, with arguments; behind '--' where it begins with a dash.",
        "In its words {run} stands for config-1-1 and so on, for instance in the path of the"
            + " output; {intermediate} for the tier of intermediate data, {tag} for a tag of YARN:"
            + " for commands that hand these to their jobs themselves."
      })
  private List<String> command;

  @Override
  public Integer call() throws IOException {
    HistoryImport.requireName(application);
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    MoverCluster.prepare(conf);
    try (StoredFiles files = StoredFiles.find(conf, input)) {
      MoverCluster known = MoverCluster.of(files.fs(), conf);
      ProfilingRun run =
          new ProfilingRun(
              known,
              settings,
              journal.journal(conf),
              wish(known.tiers().table()),
              files.plainPaths(),
              new TerminalListener(output));
      return dryRun ? plan(run) : run(run);
    }
  }

  private ProfilingWish wish(TierTable tiers) {
    return ProfilingWish.of(
        command,
        fastTier,
        slowTier,
        tiers,
        times,
        application,
        cluster.directory(),
        SparkClient.configuration(sparkConf, System.getenv()));
  }

  private int plan(ProfilingRun run) throws IOException {
    ProfilingReport plan = run.plan();
    output.answer(plan, () -> plan.planLines().forEach(output::fold));
    return 0;
  }

  private int run(ProfilingRun run) throws IOException {
    ProfilingReport report;
    boolean signalled;
    try (SignalGuard signal =
        SignalGuard.telling(() -> output.say(ProfilingRun.late()), run::stop)) {
      report = run.run(catalog.where(), output.err()::println);
      signalled = signal.signalled();
      // Here: after a signal the process ends with the guard.
      print(report);
    }
    return signalled ? ExitCode.INTERRUPTED : ExitCode.failedUnless(report.complete());
  }

  private void print(ProfilingReport report) {
    report.remarks().forEach(output::say);
    report.doubts().forEach(output::say);
    output.answer(
        report,
        () -> {
          output.table(report.table());
          report.lines().forEach(output::fold);
        });
  }
}
