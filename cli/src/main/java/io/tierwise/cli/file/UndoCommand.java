package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.Undo;
import io.tierwise.hadoop.mover.UndoReport;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.lab.EndedEarly;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes a run back that the journal has. */
@Command(
    name = "undo",
    description = {
      "Takes back what a run moved and changed, as far as nothing has changed since.",
      "Replicas go back to the tiers that they were in, policies and numbers of replicas to what"
          + " they were. What was deleted, renamed, appended to, moved or put under another policy"
          + " since is left as it is, and told. Ended at any moment, an undo of the same ID does"
          + " the rest; it is a run of its own, which can be undone.",
      "Needs what the command needed that it undoes.",
      "Exit code 1 when something could not be taken back."
    },
    footer = "  tierwise undo last --dry-run")
public final class UndoCommand extends ClusterCommand {
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journalOptions;

  @Parameters(
      paramLabel = "ID",
      description = "The run's id, or 'last'; 'tierwise journal' lists them.")
  private String id;

  @Option(names = "--dry-run", description = "Say what would be taken back; change nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws IOException {
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    Journal journal = journalOptions.journal(conf);
    PastRun past = PastRun.read(journal, journal.resolve(id));
    MoverCluster.prepare(conf);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      past.requireCluster(fs);
      past.cutRemark().ifPresent(output::say);
      MoverCluster known = MoverCluster.of(fs, conf);
      Undo undo = new Undo(known, past);
      MoverReport plan = undo.hasMoves() ? undo.plan(settings) : null;
      if (dryRun) {
        return answer(undo.report(null, plan));
      }
      JobRun.Start start = journalOptions.start(journal, fs, past);
      if (plan == null) {
        String stays = "what was taken back stays so; 'tierwise undo %s' does the rest";
        String rest = stays.formatted(past.begin().id());
        UndoReport report;
        try (EndedEarly early = EndedEarly.saying(output::say, () -> rest)) {
          report = undo.report(undo.change(start), null);
        }
        int code = answer(report);
        MoveRun.sayTheId(output, report.id());
        return code;
      }
      MoveRun run =
          MoveRun.of(
              output,
              known,
              settings,
              undo,
              plan,
              start,
              made -> {
                answer(undo.report(made.id(), made.report()));
                made.sayTheEnd(output, "'tierwise undo " + past.begin().id() + "'");
              });
      return run.signalled()
          ? run.exitCode()
          : ExitCode.failedUnless(undo.report(run.id(), run.report()).complete());
    }
  }

  private int answer(UndoReport report) {
    if (output.json()) {
      output.printJson(report);
    } else {
      report.lines(dryRun).forEach(output::fold);
      if (report.moves() != null) {
        report.moves().lines(dryRun).forEach(output::line);
      }
    }
    return ExitCode.failedUnless(report.complete());
  }
}
