package io.tierwise.cli.profile;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.inspect.history.StoredHistory;
import io.tierwise.lab.EndedEarly;
import io.tierwise.profiles.HistoryImport;
import io.tierwise.profiles.ImportAnswer;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tierwise profile import}. */
@Command(
    name = "import",
    description = {
      "Adds runs to the catalog, from MapReduce's job history and Spark's event logs.",
      "A run that is there counts once. Exit code 1 when a log cannot be used; the others are"
          + " added."
    },
    footer = "  tierwise profile import hdfs://nn:8020/tmp/hadoop-yarn/staging/history/done")
final class ProfileImportCommand extends ClusterCommand {
  private static final String STAYS =
      "runs that were added stay in the catalog; the same command adds the rest";

  @Mixin private CatalogOptions catalog;

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description =
          "A file, or a folder with all below it, as Hadoop names it: file:///tmp/logs,"
              + " hdfs://nn/logs, or /logs on the default file system.")
  private List<String> paths;

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = "Count all runs for this application (default: by the name of each run).")
  private String application;

  @Override
  public Integer call() throws IOException {
    HistoryImport.requireName(application);
    Configuration conf = cluster.configuration();
    StoredHistory.requireThere(paths, conf);
    try (EndedEarly early = EndedEarly.saying(output::say, () -> STAYS);
        RunCatalog runs = RunCatalog.openOrMake(catalog.where())) {
      HistoryImport history = new HistoryImport(runs, application, output::say);
      for (String path : paths) {
        StoredHistory.read(path, conf, history);
      }
      ImportAnswer answer = history.finish();
      output.answer(answer, () -> output.fold(answer.text()));
      return ExitCode.failedUnless(answer.refused() == 0);
    }
  }
}
