package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.Undo;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
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
          + " since is left as it is, and told. Ended at any moment, an undo of the same ID does the"
          + " rest; it is a run of its own, which can be undone.",
      "Needs what the command needed that it undoes.",
      "Exit code 1 when something could not be taken back."
    },
    mixinStandardHelpOptions = true)
public final class UndoCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private MoveOptions bounds;
  @Mixin private JournalOptions journalOptions;
  @Mixin private Output output;

  @Parameters(
      paramLabel = "ID",
      description = "The run's id, or 'last'; 'tierwise journal' lists them.")
  private String id;

  @Option(names = "--dry-run", description = "Say what would be taken back; change nothing.")
  private boolean dryRun;

  /**
   * The answer as {@code --json} prints it.
   *
   * @param id of this run in the journal; null when nothing was changed
   * @param policies that stand on paths again as before
   * @param files that have their number of replicas again
   * @param changesLeft what of these has changed since
   * @param moves null when the run moved nothing
   */
  private record Answer(
      String id,
      String undoes,
      long policies,
      long files,
      List<MoverReport.Left> changesLeft,
      MoverReport moves) {
    boolean complete() {
      return changesLeft.isEmpty() && (moves == null || moves.complete());
    }
  }

  @Override
  public Integer call() throws IOException {
    MoverSettings settings = bounds.settings();
    Configuration conf = cluster.configuration();
    Journal journal = journalOptions.journal(conf);
    id = journal.resolve(id);
    PastRun past = PastRun.read(journal, id);
    MoveRun.prepare(conf);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      if (!fs.getUri().toString().equals(past.begin().cluster())) {
        throw OperatorException.badInput(
            id
                + " is of the cluster "
                + past.begin().cluster()
                + ", not of "
                + fs.getUri()
                + ": give --fs");
      }
      if (past.cut()) {
        output.say("the last line of " + id + " is cut: what it was about had not started");
      }
      MoverCluster known = MoverCluster.of(fs, conf);
      Undo undo = new Undo(known, past);
      MoverReport plan = undo.hasMoves() ? Mover.planUndo(known, settings, undo) : null;
      if (dryRun) {
        return answer(answerOf(null, undo, plan), 0);
      }
      MoveRun.Start start =
          () -> journalOptions.begin(journal, fs, past.begin().paths(), "undo " + id, id);
      return undo.hasMoves() ? move(known, settings, undo, plan, start) : change(undo, start);
    }
  }

  private int move(
      MoverCluster known, MoverSettings settings, Undo undo, MoverReport plan, MoveRun.Start start)
      throws IOException {
    MoveRun.Work work =
        (mover, journal, step) -> {
          undo.apply(journal);
          return mover.undo(undo, step);
        };
    MoveRun run =
        MoveRun.of(
            output,
            known,
            settings,
            plan,
            start,
            new MoveRun.Job(work, undo.policies() + undo.files(), undo.left()));
    int code = answer(answerOf(run.id(), undo, run.report()), run.exitCode());
    run.sayTheEnd(output, "'tierwise undo " + id + "'");
    return code;
  }

  private int change(Undo undo, MoveRun.Start start) throws IOException {
    try (JournalRun journal = start.begin()) {
      undo.apply(journal);
      journal.append(
          new JournalEntry.End(
              undo.policies() + undo.files(),
              0,
              undo.left().stream().map(MoverReport.Left::journaled).toList(),
              false));
      int code = answer(answerOf(journal.id(), undo, null), 0);
      MoveRun.sayTheId(output, journal.id());
      return code;
    }
  }

  private Answer answerOf(String own, Undo undo, MoverReport moves) {
    return new Answer(own, id, undo.policies(), undo.files(), undo.left(), moves);
  }

  private int answer(Answer answer, int code) {
    if (output.json()) {
      output.printJson(answer);
    } else {
      print(answer);
    }
    return code == 0 && !answer.complete() ? ExitCode.FAILED : code;
  }

  private void print(Answer answer) {
    boolean changed = answer.policies() + answer.files() > 0;
    if (changed || answer.moves() == null) {
      output.out().println(Fold.text(sum(answer)));
    }
    for (MoverReport.Left left : answer.changesLeft()) {
      output.out().println(Fold.text("- " + line(left), 2));
    }
    if (answer.moves() != null) {
      MoveTable.print(answer.moves(), dryRun, output.out());
    }
    output.out().flush();
  }

  private String sum(Answer answer) {
    return (dryRun ? "would take back " : "took back ")
        + (answer.policies() == 1 ? "1 policy" : answer.policies() + " policies")
        + " and the number of replicas of "
        + Words.count(answer.files(), "file");
  }

  private static String line(MoverReport.Left left) {
    long paths = left.amount().replicas();
    return (paths == 1 ? "left as it is: " : paths + " paths left as they are: ")
        + Words.plain(left.reason())
        + "; for example "
        + Words.plain(left.example());
  }
}
