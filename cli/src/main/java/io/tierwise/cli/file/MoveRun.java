package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.lab.SignalGuard;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A mover's run with its journal, its progress, and its end by Ctrl-C.
 *
 * @param id of the run in the journal
 */
public record MoveRun(String id, MoverReport report, boolean signalled) {
  /** Begins the journal, when the lock of the cluster's one mover is taken. */
  @FunctionalInterface
  public interface Start {
    JournalRun begin() throws IOException;
  }

  /**
   * The work of one run, which holds the lock.
   *
   * @param alsoDone changes that it makes beside moves
   * @param alsoLeft what stays of these
   */
  public record Job(Work work, long alsoDone, List<MoverReport.Left> alsoLeft) {
    public Job(Work work) {
      this(work, 0, List.of());
    }
  }

  /** Changes and moves, the moves last. */
  @FunctionalInterface
  public interface Work {
    MoverReport by(Mover mover, JournalRun journal, Listener.Step step) throws IOException;
  }

  /** Lets a connection give locations as the NameNode does, and outlive Ctrl-C. */
  public static void prepare(Configuration conf) {
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    conf.setBoolean("fs.automatic.close", false);
  }

  /** Takes the lock, and runs. */
  public static MoveRun of(
      Output output,
      MoverCluster cluster,
      MoverSettings settings,
      MoverReport plan,
      Start start,
      Job job)
      throws IOException {
    Listener listener = new TerminalListener(output, ProgressBar.onTerminal());
    try (Mover mover = Mover.open(cluster, settings);
        JournalRun journal = start.begin();
        SignalGuard signal =
            new SignalGuard(
                () -> output.say("ended before the lock was given back: wait a minute"),
                mover::stop)) {
      Listener.Step step =
          listener.begin(
              "moving "
                  + Words.bytes(plan.moved().bytes())
                  + ", about "
                  + MoveTable.time(plan.seconds()),
              plan.moved().bytes());
      MoverReport report = job.work().by(mover.writingTo(journal), journal, step);
      journal.append(report.journalEnd(job.alsoDone(), job.alsoLeft()));
      step.finish(
          Words.count(report.moved().replicas(), "replica")
              + " in "
              + MoveTable.time(report.seconds()));
      return new MoveRun(journal.id(), report, signal.signalled());
    }
  }

  /** The exit code of a run. */
  public int exitCode() {
    if (signalled) {
      return ExitCode.INTERRUPTED;
    }
    return report.complete() ? 0 : ExitCode.FAILED;
  }

  /**
   * Says by which id the run is found and undone, and what to do after it was stopped.
   *
   * @param rest the command that does the rest
   */
  public void sayTheEnd(Output output, String rest) {
    if (report.stopped()) {
      output.say("stopped: " + rest + " does the rest");
    }
    sayTheId(output, id);
  }

  /** Tells people by which id a run is found and undone; JSON has it already. */
  public static void sayTheId(Output output, String id) {
    if (!output.json()) {
      output.out().println(Fold.text("journal: " + id + " ('tierwise undo " + id + "' undoes it)"));
      output.out().flush();
    }
  }
}
