package io.tierwise.cli.autotier;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.AutotierSettings;
import io.tierwise.hadoop.autotier.Control;
import io.tierwise.hadoop.autotier.Daemon;
import io.tierwise.hadoop.autotier.Round;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.secondary.SecondaryTier;
import io.tierwise.lab.SignalGuard;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise autotier run}. */
@Command(
    name = "run",
    description = {
      "Follows the audit log and gives popular files more replicas, until Ctrl-C.",
      "Decides at once, then at the end of each window. HDFS copies and drops by itself; files"
          + " whose number somebody chose, and those under a policy, are left alone.",
      "Rules come before what is popular, and may also have replicas moved to a tier, which needs"
          + " HDFS's superuser.",
      "Each change is in the journal before it is made: 'tierwise undo' takes a round back.",
      "One daemon runs on a cluster at a time, and a second one waits for its end. It takes no lock"
          + " of the mover: 'file move' and 'monitor run' go on.",
      "Needs the permission to change the files. Exit code 1 with --rounds when a change could not"
          + " be made."
    },
    footer = "  tierwise autotier run --audit-log hdfs-audit.log --below /data --rounds 1")
final class AutotierRunCommand extends ClusterCommand {
  @Mixin private AutotierOptions options;
  @Mixin private JournalOptions journal;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "0",
      description = "End after so many rounds (default: never).")
  private int rounds;

  private boolean complete = true;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OperatorException.requireAtLeast(0, "--rounds", rounds);
    AutotierSettings settings = options.settings();
    Configuration conf = cluster.configuration();
    SecondaryTier.prepare(conf);
    Journal written = journal.journal(conf);
    written.requireWritable();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      Daemon daemon =
          new Daemon(
              MoverCluster.of(fs, conf),
              new Control(fs, conf),
              settings,
              options.logs(),
              written,
              output::say);
      try (SignalGuard signal =
          SignalGuard.asking(() -> output.say("ended in the middle of a round"))) {
        daemon.run(rounds, this::print, signal::signalled);
        return signal.signalled() ? ExitCode.INTERRUPTED : ExitCode.failedUnless(complete);
      }
    }
  }

  private void print(Round round) {
    complete &= round.left().isEmpty() && !round.stopped();
    output.answerLine(round, () -> output.fold(round.text()));
    output.out().flush();
  }
}
