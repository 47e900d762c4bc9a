package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.hadoop.mover.journal.RunSummary;
import io.tierwise.hadoop.mover.journal.RunView;
import io.tierwise.hadoop.mover.journal.StepView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what was moved and changed, when, why, and with which result. */
@Command(
    name = "journal",
    description = {
      "Lists the runs that moved or changed something; with an ID or --file their steps.",
      "Every step was written down before it started. A step without a result may have been made"
          + " or not: its run was killed, or goes on.",
      "Exit code 3 when a file of the journal is damaged or of a newer version; the others are"
          + " shown."
    })
public final class JournalCommand extends ClusterCommand {
  @Mixin private JournalOptions options;

  @Parameters(
      paramLabel = "ID",
      arity = "0..1",
      description = "A run's id, or 'last': show its moves and changes.")
  private String id;

  @Option(
      names = "--file",
      paramLabel = "PATH",
      description = "Only moves and changes of that path and what is below it, then.")
  private String file;

  @Option(
      names = "--rule",
      paramLabel = "TEXT",
      description = "Only moves whose policy or rule has that text.")
  private String rule;

  @Option(
      names = "--command",
      paramLabel = "NAME",
      description = "Only runs of that command, for example \"file move\".")
  private String command;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only runs from then on, in UTC: 2026-01-31, or 2026-01-31T12:00:00Z.")
  private String since;

  @Option(
      names = "--result",
      paramLabel = "RESULT",
      description = "Only runs, or steps, that ended so: ${COMPLETION-CANDIDATES}.")
  private StepView.Outcome result;

  @Override
  public Integer call() {
    Journal journal = options.journal(cluster.configuration());
    Instant from = since == null ? Instant.MIN : RunSummary.time(since, "--since");
    List<RunSummary> runs = new ArrayList<>();
    boolean whole = true;
    for (String run : id == null ? journal.runs() : List.of(journal.resolve(id))) {
      try {
        RunSummary summary = RunSummary.read(journal, run);
        boolean asked = command == null || summary.begin().command().equals(command);
        if (asked && !summary.began().isBefore(from)) {
          runs.add(summary);
        }
      } catch (OperatorException e) {
        if (id != null) {
          throw e;
        }
        output.say(e.getMessage());
        whole = false;
      }
    }
    if (id != null || file != null || rule != null) {
      runs.forEach(run -> printSteps(PastRun.read(journal, run.begin().id())));
    } else {
      printRuns(runs);
    }
    output.out().flush();
    return whole ? 0 : ExitCode.CLUSTER;
  }

  private void printSteps(PastRun run) {
    for (PastRun.Step step : run.steps()) {
      StepView view = StepView.of(run.begin().id(), step);
      if (view.isAt(file) && view.has(rule) && (result == null || result == view.result())) {
        if (output.json()) {
          output.printJsonLine(view);
        } else {
          output.fold(view.text());
        }
      }
    }
    run.cutRemark().ifPresent(output::say);
  }

  private void printRuns(List<RunSummary> runs) {
    TextTable table =
        new TextTable().left("id", "command", "path").right("done", "bytes").left("result").keys(1);
    for (RunView view : RunView.of(runs)) {
      if (result != null && result != view.result()) {
        continue;
      }
      if (output.json()) {
        output.printJsonLine(view);
      } else {
        table.row(
            view.id(),
            view.command(),
            view.pathsText(),
            view.done(),
            view.bytes() == null ? null : Words.bytes(view.bytes()),
            view.resultText());
      }
    }
    if (!output.json()) {
      table.print(output.out());
    }
  }
}
