package io.tierwise.cli.autotier;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.hadoop.autotier.Autotier;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.RoundPlan;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.secondary.SecondaryTier;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise autotier plan}. */
@Command(
    name = "plan",
    description = {
      "Says what 'autotier run' would change now, and what it would cost; changes nothing.",
      "Looks at the window that runs as if it ended now.",
      "Exit code 1 when a rule is refused, or is about directories that may not be read."
    },
    footer = "  tierwise autotier plan --audit-log hdfs-audit.log --below /data --explain")
final class AutotierPlanCommand extends ClusterCommand {
  @Mixin private AutotierOptions options;
  @Mixin private JournalOptions journal;

  @Option(
      names = "--explain",
      description = "Also say what became of each rule, and why files stay as they are.")
  private boolean explain;

  @Override
  public Integer call() throws IOException {
    AutotierSettings settings = options.settings();
    Configuration conf = cluster.configuration();
    SecondaryTier.prepare(conf);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      RoundPlan plan =
          new Autotier(
                  MoverCluster.of(fs, conf),
                  settings,
                  options.logs(),
                  journal.journal(conf),
                  output::say)
              .plan();
      output.answer(plan, () -> plan.lines(explain).forEach(output::fold));
      return ExitCode.failedUnless(plan.isWhole());
    }
  }
}
