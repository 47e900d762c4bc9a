package io.tierwise.cli.profile;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.core.message.ByteSize;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.profiling.LocalChoice;
import io.tierwise.hadoop.autotier.profiling.LocalRun;
import io.tierwise.hadoop.autotier.profiling.LocalTiers;
import io.tierwise.hadoop.autotier.profiling.SparkClient;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.SignalGuard;
import io.tierwise.profiles.Profiles;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code tierwise profile submit}. */
@Command(
    name = "submit",
    description = {
      "Runs a Spark application without YARN, with its intermediate data on the tier that its"
          + " profile asks for.",
      "Of the directories that --local tells for a fast and a slow tier of this machine, the"
          + " command finds those of the fast one in SPARK_LOCAL_DIRS and in spark.local.dir when"
          + " that saves a twentieth of its time and what is expected fits there; else those of the"
          + " slow one. A line on standard error says which, and why. A directory that is not"
          + " there, or whose file system is used by more than 90%%, has no room.",
      "For local[N] and the driver. Executors of a standalone cluster get the directories of their"
          + " Workers: these are narrowed to the tier by packaging/spark/bin/java.",
      "Exit code: the command's own."
    },
    footer = "  tierwise profile submit --tier ssd --local ssd=/ssd -- spark-submit a.jar")
final class ProfileSubmitCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private CatalogOptions catalog;
  @Mixin private EngineOption engine;
  @Spec private CommandSpec spec;

  @Option(
      names = "--local",
      required = true,
      paramLabel = "TIER=DIR[,DIR]",
      description = "Directories of a tier on this machine; may be given again.")
  private List<String> local;

  @Option(
      names = "--tier",
      paramLabel = "TIER",
      description = "The tier for intermediate data; no profile is asked.")
  private String tier;

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = "As 'tierwise profile show' has it, or as a run of it was named.")
  private String application;

  @Option(
      names = "--input",
      paramLabel = "SIZE",
      description = "What it will read, such as 10GiB (" + ByteSize.UNITS_HELP + ").")
  private String input;

  @Option(
      names = "--spark-conf",
      paramLabel = "DIR",
      description =
          "Directory of Spark's spark-defaults.conf (default: SPARK_CONF_DIR, else SPARK_HOME/conf).")
  private Path sparkConf;

  @Option(names = "--dry-run", description = "Say where it would go; run nothing.")
  private boolean dryRun;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "Runs the application; behind '--'.")
  private List<String> command;

  @Override
  public Integer call() throws IOException {
    LocalChoice choice = choice();
    LocalRun run =
        new LocalRun(choice, SparkClient.configuration(sparkConf, System.getenv()), command);
    PrintWriter err = spec.commandLine().getErr();
    err.println("tierwise: " + choice.text());
    err.flush();
    if (dryRun) {
      return 0;
    }
    try (SignalGuard signal = SignalGuard.telling(() -> {}, run::stop)) {
      int exitCode = run.run().orElse(ExitCode.INTERRUPTED);
      return signal.signalled() ? ExitCode.INTERRUPTED : exitCode;
    }
  }

  private LocalChoice choice() throws IOException {
    LocalTiers tiers = LocalTiers.parse(local);
    if ((tier == null) == (application == null) || (application == null) != (input == null)) {
      throw OperatorException.badInput(
          "give --application and --input for what its profile asks for, or --tier alone");
    }
    if (tier != null) {
      return LocalChoice.of(tiers, tier);
    }
    try (RunCatalog runs = RunCatalog.open(catalog.where())) {
      return LocalChoice.of(
          tiers,
          Profiles.of(runs)
              .find(application, engine.word())
              .predict(ByteSize.parse("--input", input)),
          TierConfiguration.load(cluster.configuration()).table());
    }
  }
}
