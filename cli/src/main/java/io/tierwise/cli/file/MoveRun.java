package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverJob;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.lab.SignalGuard;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A mover's run with its progress on a terminal and its end by Ctrl-C.
 *
 * @param id of the run in the journal
 * @param ended when the last move was in place, or given up
 */
public record MoveRun(String id, MoverReport report, Instant ended, boolean signalled) {
  /**
   * Takes the lock, and runs.
   *
   * @param told prints what was done: after Ctrl-C the process ends when that is over
   */
  public static MoveRun of(
      Output output,
      MoverCluster cluster,
      MoverSettings settings,
      MoverJob job,
      MoverReport plan,
      JobRun.Start start,
      Consumer<MoveRun> told)
      throws IOException {
    JobRun run = new JobRun(cluster, settings, job);
    try (SignalGuard signal =
        new SignalGuard(
            () -> output.say("ended before the lock was given back: wait a minute"), run::stop)) {
      JobRun.Outcome outcome = run.run(plan, start, new TerminalListener(output));
      MoveRun made =
          new MoveRun(outcome.id(), outcome.report(), outcome.ended(), signal.signalled());
      told.accept(made);
      return made;
    }
  }

  /** The exit code of a run. */
  public int exitCode() {
    return signalled ? ExitCode.INTERRUPTED : ExitCode.failedUnless(report.complete());
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
      output.fold("journal: " + id + " ('tierwise undo " + id + "' undoes it)");
    }
  }
}
