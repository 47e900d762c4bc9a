package io.tierwise.cli.file;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.inspect.cluster.StoredFiles;
import io.tierwise.hadoop.mover.Deadline;
import io.tierwise.hadoop.mover.MoveTarget;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverJob;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves the stored replicas of files to the tiers of a layout. */
@Command(
    name = "move",
    description = {
      "Moves the stored replicas of files to the tiers of a layout, or so many of them to a tier or"
          + " a region: then the layout that PATH is under changes with them.",
      "Copies come first: a block never has fewer replicas than before. Done is what the NameNode"
          + " reports in its new place. Ended at any moment, by Ctrl-C or a kill, it leaves the"
          + " rest to the next run of the same command; with --to-tier and --to-region, of"
          + " 'tierwise file move --to policy'.",
      "Each move is in the journal before it starts: 'tierwise undo' takes a run back.",
      "Needs HDFS's superuser. One mover runs on a cluster at a time.",
      "Exit code 1 when something stays where it should not be; the table says what and why."
    },
    footer = "  tierwise file move /warehouse --to \"1 x ssd + 2 x disk\" --dry-run")
final class FileMoveCommand extends ClusterCommand {
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journal;
  @Mixin private PathsParameter paths;

  @ArgGroup(multiplicity = "1")
  private TargetOptions where;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "With --to-tier and --to-region: how many of each block (default: 1).")
  private Integer replicas;

  @Option(names = "--dry-run", description = "Say what would move and what not; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--by",
      paramLabel = "TIME",
      description = {
        "Say whether all can be in place by then: 14:00 in this machine's time zone, or"
            + " 2026-01-31T14:00:00Z.",
        "Where it cannot, nothing is moved, and the exit code is 1: without --by it moves what it"
            + " can.",
        "A run that took longer than planned says how late it was, and the exit code is 1."
      })
  private String by;

  /**
   * The answer as {@code --json} prints it: the report, and what is known beside it.
   *
   * @param id of the run in the journal; null when nothing was moved
   * @param deadline null without {@code --by}
   */
  private record Answer(String id, @JsonUnwrapped MoverReport report, Deadline deadline) {}

  @Override
  public Integer call() throws IOException {
    Instant moment =
        by == null ? null : Deadline.parse(by, ZonedDateTime.now(ZoneId.systemDefault()));
    MoverSettings settings = bounds.settings();
    MoveTarget target = where.target(replicas);
    Configuration conf = cluster.configuration();
    MoverCluster.prepare(conf);
    try (StoredFiles files = paths.find(conf)) {
      MoverCluster known = MoverCluster.of(files.fs(), conf);
      MoverJob job = target.job(known, files);
      MoverReport plan = job.plan(settings);
      Deadline deadline = moment == null ? null : Deadline.of(moment, Instant.now(), plan);
      boolean late = deadline != null && !deadline.kept();
      if (dryRun || late) {
        print(new Answer(null, plan, deadline));
        return ExitCode.failedUnless(plan.complete() && !late);
      }
      String rest =
          target.mayBeRepeated()
              ? "the same command"
              : "'tierwise file move --to policy' with the same paths";
      MoveRun made =
          MoveRun.of(
              output,
              known,
              settings,
              job,
              plan,
              journal.start(conf, files, target.text()),
              run -> {
                print(new Answer(run.id(), run.report(), after(run, deadline)));
                run.sayTheEnd(output, rest);
              });
      boolean kept = deadline == null || after(made, deadline).kept();
      return made.signalled() || kept ? made.exitCode() : ExitCode.FAILED;
    }
  }

  private static Deadline after(MoveRun run, Deadline deadline) {
    return deadline == null ? null : deadline.after(run.ended(), run.report());
  }

  private void print(Answer answer) {
    if (output.json()) {
      output.printJson(answer);
      return;
    }
    boolean plan = answer.id() == null;
    answer.report().lines(plan).forEach(output::line);
    Deadline deadline = answer.deadline();
    if (deadline != null) {
      output.fold(plan ? deadline.text() : deadline.text(answer.report()));
    }
  }
}
