package io.tierwise.cli.monitor;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.cli.file.MoveOptions;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.FullTiers;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.RepairPreview;
import io.tierwise.hadoop.mover.Repairs;
import io.tierwise.hadoop.mover.RepairsOnce;
import io.tierwise.lab.SignalGuard;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Repairs what the NameNode's monitor finds. */
@Command(
    name = "run",
    description = {
      "Repairs blocks that the monitor in the NameNode finds off their layouts, until Ctrl-C.",
      "It asks the NameNode's plug-in for the most urgent ones, moves their replicas as 'tierwise"
          + " file move' does, and tells it what became of them. Blocks that another tool moves"
          + " back are left alone, longer each time.",
      "With --flush it keeps tiers from filling up, too, between its rounds.",
      "Each move is in the journal before it starts: 'tierwise undo' takes a round back.",
      "Needs HDFS's superuser. One mover runs on a cluster at a time: this one has the lock only"
          + " while it moves, and waits while another one has it.",
      "Exit code 1 with --once or --dry-run when a block still waits, 3 when the monitor is off or"
          + " has not looked at all files yet."
    },
    footer = "  tierwise monitor run --once --flush ssd=90:80")
final class MonitorRunCommand extends ClusterCommand {
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journal;

  @Option(
      names = "--once",
      description = "Repair all that waits, with rests as of --idle every ten minutes, and end.")
  private boolean once;

  @Option(names = "--dry-run", description = "Say what waits and what would move; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--idle",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Rest when nothing waits, and for others' moves (default: ${DEFAULT-VALUE}).")
  private int idleSeconds;

  @Option(
      names = "--flush",
      paramLabel = "TIER=ABOVE:UNTIL",
      description =
          "Flush a tier that is fuller than so many percent, as 'tierwise tiers flush' does:"
              + " ssd=90:80. May be given again, once a tier.")
  private List<String> flush = List.of();

  @Override
  public Integer call() throws IOException {
    OperatorException.requireAtLeast(1, "--idle", idleSeconds);
    Map<String, Watermarks> marks = FullTiers.marks(flush);
    if (dryRun && !marks.isEmpty()) {
      throw OperatorException.badInput(
          "--flush with --dry-run: 'tierwise tiers flush --dry-run' says what would leave");
    }
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    MoverCluster.prepare(conf);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      Repairs repairs =
          new Repairs(
              fs,
              conf,
              settings,
              journal.start(conf, fs, List.of(), "their policies"),
              output::say);
      if (dryRun) {
        RepairPreview preview = repairs.preview();
        output.answerLine(preview, () -> preview.lines().forEach(output::line));
        return ExitCode.failedUnless(preview.nothingWaits());
      }
      if (!marks.isEmpty()) {
        repairs.keeping(
            FullTiers.of(
                fs,
                conf,
                settings,
                marks,
                asked -> journal.start(conf, fs, List.of("/"), asked),
                flushed -> print(flushed, flushed.text())));
      }
      try (SignalGuard signal =
          new SignalGuard(
              () -> output.say("ended before the lock was given back: wait a minute"),
              repairs::stop)) {
        if (!once) {
          repairs.run(TimeUnit.SECONDS.toMillis(idleSeconds), round -> print(round, round.text()));
          return signal.signalled() ? ExitCode.INTERRUPTED : 0;
        }
        boolean complete = repairAll(repairs);
        repairs.keepTiers();
        return signal.signalled() ? ExitCode.INTERRUPTED : ExitCode.failedUnless(complete);
      }
    }
  }

  /** Whether nothing waits any more. */
  private boolean repairAll(Repairs repairs) throws IOException {
    RepairsOnce all = new RepairsOnce(repairs, output::say);
    long waiting;
    try {
      waiting = all.run(TimeUnit.SECONDS.toMillis(idleSeconds));
    } catch (OperatorException | IOException e) {
      if (all.done().blocks() > 0) {
        print(all.done(), all.done().text());
      }
      throw e;
    }
    print(all.done(), all.done().text());
    if (waiting > 0) {
      output.say(RepairsOnce.text(waiting));
    }
    return waiting == 0;
  }

  private void print(Object answer, String text) {
    output.answerLine(answer, () -> output.fold(text));
    output.out().flush();
  }
}
