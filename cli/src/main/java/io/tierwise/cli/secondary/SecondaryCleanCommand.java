package io.tierwise.cli.secondary;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.secondary.Cleaning;
import io.tierwise.hadoop.secondary.SecondaryReport;
import io.tierwise.hadoop.secondary.SecondaryTier;
import io.tierwise.lab.EndedEarly;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes room in the secondary store. */
@Command(
    name = "clean",
    description = {
      "Takes away copies that no reader needs; needs HDFS's superuser.",
      "With PATHs: copies of files there that have their bytes in HDFS, and what unfinished runs"
          + " left beside files. Without: copies whose file was deleted or replaced, and what"
          + " unfinished runs left in the store. Copies that a snapshot may refer to stay, and all"
          + " copies until an upgrade of HDFS is finalized.",
      "Exit code 1 when something could not be taken away."
    },
    footer = "  tierwise secondary clean /warehouse --dry-run")
final class SecondaryCleanCommand extends ClusterCommand {
  private static final String STAYS =
      "what was taken away stays so; the same command does the rest";

  @Mixin private JournalOptions journal;

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description = "Files and directories, all of one cluster.")
  private List<String> paths = List.of();

  @Option(names = "--dry-run", description = "Say what would be taken away; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--older-than",
      paramLabel = "HOURS",
      defaultValue = "24",
      description =
          "Only what was written so long ago or longer, since a run may go on: without PATHs copies,"
              + " with PATHs what unfinished runs left (default: ${DEFAULT-VALUE}).")
  private int hours;

  @Override
  public Integer call() throws IOException {
    OperatorException.requireAtLeast(0, "--older-than", hours);
    Configuration conf = cluster.configuration();
    SecondaryTier.prepare(conf);
    SecondaryReport report;
    try (EndedEarly early = EndedEarly.saying(output::say, () -> STAYS)) {
      report = paths.isEmpty() ? orphans(conf) : below(conf);
    }
    output.answer(
        report, () -> report.lines(dryRun ? "would clean" : "cleaned").forEach(output::fold));
    return ExitCode.failedUnless(report.complete());
  }

  private SecondaryReport below(Configuration conf) throws IOException {
    try (StoredFiles files = StoredFiles.find(conf, paths);
        SecondaryTier tier = SecondaryTier.of(files.fs(), conf)) {
      JobRun.Start start = journal.start(conf, files, tier.target().toString());
      return new Cleaning(tier, dryRun, hours).copiesBelow(files.plainPaths(), start);
    }
  }

  private SecondaryReport orphans(Configuration conf) throws IOException {
    try (DistributedFileSystem fs =
            ClusterConnection.connect(FileSystem.getDefaultUri(conf), conf);
        SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      JobRun.Start start = journal.start(conf, fs, List.of(), tier.target().toString());
      return new Cleaning(tier, dryRun, hours).orphans(conf, start);
    }
  }
}
