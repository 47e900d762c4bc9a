package io.tierwise.cli.cluster;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tierwise.cli.ExitCode;
import io.tierwise.cli.file.JournalOptions;
import io.tierwise.cli.file.MoveOptions;
import io.tierwise.cli.file.MoveRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.TierFlush;
import io.tierwise.policies.movement.Watermarks;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise tiers flush}. */
@Command(
    name = "flush",
    description = {
      "Frees a tier that is nearly full: surplus replicas in it are dropped, the oldest files first."
          + " If that is not enough, the oldest files get a layout whose replicas there are in the"
          + " next slower tier instead, and move. Only files whose policy is a layout are flushed."
          + " Nothing begins unless room is gained. Journaled: 'tierwise undo' takes it back.",
      "Exit code 1 when less than was asked for becomes free."
    },
    footer = "  tierwise tiers flush --tier ssd --above 90 --until 80 --dry-run")
final class TiersFlushCommand extends ClusterCommand {
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journal;

  @Option(
      names = "--tier",
      required = true,
      paramLabel = "TIER",
      description = "The tier to free; see 'tierwise tiers list'.")
  private String tier;

  @Option(
      names = "--above",
      paramLabel = "PERCENT",
      defaultValue = "90",
      description = "Begin only when it is fuller than this (default: ${DEFAULT-VALUE}).")
  private double above;

  @Option(
      names = "--until",
      paramLabel = "PERCENT",
      defaultValue = "80",
      description = "How full it is afterwards (default: ${DEFAULT-VALUE}).")
  private double until;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      defaultValue = "/",
      description = "Below which files may leave (default: ${DEFAULT-VALUE}).")
  private String path;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "oldest",
      description =
          "Who leaves first: oldest (by writing) or unused (by any use; HDFS knows hours).")
  private String order;

  @Option(names = "--dry-run", description = "Say what would leave; change nothing.")
  private boolean dryRun;

  /**
   * The answer as {@code --json} prints it.
   *
   * @param id of the run in the journal; null when nothing was moved
   * @param made what was moved; null when nothing was
   */
  private record Answer(String id, @JsonUnwrapped TierFlush.Plan plan, MoverReport made) {}

  @Override
  public Integer call() throws IOException {
    Watermarks marks = TierFlush.marks(above, until);
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    MoverCluster.prepare(conf);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      TierFlush flush = TierFlush.of(MoverCluster.of(fs, conf), settings, path, tier, marks, order);
      flush.requireGain();
      TierFlush.Plan plan = flush.plan();
      if (dryRun || !plan.hasWork()) {
        print(new Answer(null, plan, null));
        return plan.isEnough() ? 0 : ExitCode.FAILED;
      }
      MoveRun run =
          MoveRun.of(
              output,
              flush.cluster(),
              settings,
              flush.job(),
              plan.moves(),
              journal.start(conf, fs, List.of(path), plan.asked()),
              made -> {
                print(new Answer(made.id(), plan, made.report()));
                flush.leftOut().forEach(output::say);
                made.sayTheEnd(output, "'tierwise file move --to policy'");
              });
      boolean enough = plan.isEnough() && !flush.isOvertaken();
      return run.exitCode() == 0 ? ExitCode.failedUnless(enough) : run.exitCode();
    }
  }

  private void print(Answer answer) {
    if (output.json()) {
      output.printJson(answer);
      return;
    }
    boolean would = answer.made() == null;
    answer.plan().lines(would).forEach(output::fold);
    if (answer.plan().moves() != null) {
      MoverReport moves = would ? answer.plan().moves() : answer.made();
      moves.lines(would).forEach(output::line);
    }
  }
}
