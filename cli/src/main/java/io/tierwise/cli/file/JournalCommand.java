package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.hadoop.mover.journal.RunSummary;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
    },
    mixinStandardHelpOptions = true)
public final class JournalCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private JournalOptions options;
  @Mixin private Output output;

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

  /** A run as {@code --json} prints it. */
  private record RunView(
      String kind,
      String id,
      String time,
      String ended,
      String command,
      String user,
      String cluster,
      List<String> paths,
      String to,
      String undoes,
      String undoneBy,
      long steps,
      Long done,
      Long bytes,
      StepView.Outcome result) {}

  @Override
  public Integer call() {
    Journal journal = options.journal(cluster.configuration());
    Instant from = since == null ? Instant.MIN : time(since);
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

  private static Instant time(String text) {
    try {
      return text.length() == "2026-01-31".length()
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : Instant.parse(text);
    } catch (DateTimeException e) {
      throw OperatorException.badInput(
          "--since " + text + " is no time: write 2026-01-31, or 2026-01-31T12:00:00Z");
    }
  }

  private void printSteps(PastRun run) {
    for (PastRun.Step step : run.steps()) {
      StepView view = StepView.of(run.begin().id(), step);
      if (view.isAt(file) && view.has(rule) && (result == null || result == view.result())) {
        if (output.json()) {
          output.printJsonLine(view);
        } else {
          output.out().println(Fold.text(view.text(), 2));
        }
      }
    }
    if (run.cut()) {
      output.say(
          "the last line of " + run.begin().id() + " is cut: what it was about had not started");
    }
  }

  private void printRuns(List<RunSummary> runs) {
    Map<String, String> undone = new LinkedHashMap<>();
    for (RunSummary run : runs) {
      if (run.begin().undoes() != null) {
        undone.put(run.begin().undoes(), run.begin().id());
      }
    }
    TextTable table =
        new TextTable()
            .left("id")
            .left("command")
            .left("path")
            .right("done")
            .right("bytes")
            .left("result")
            .keys(1);
    for (RunSummary run : runs) {
      RunView view = view(run, undone.get(run.begin().id()));
      if (result != null && result != view.result()) {
        continue;
      }
      if (output.json()) {
        output.printJsonLine(view);
      } else {
        int paths = view.paths().size();
        table.row(
            view.id(),
            view.command(),
            view.paths().get(0) + (paths == 1 ? "" : " and " + (paths - 1) + " more"),
            view.done(),
            view.bytes() == null ? null : Words.bytes(view.bytes()),
            view.undoneBy() == null ? Words.word(view.result().name()) : "undone");
      }
    }
    if (!output.json()) {
      table.print(output.out());
    }
  }

  private static RunView view(RunSummary run, String undoneBy) {
    JournalEntry.Begin begin = run.begin();
    JournalEntry.End end = run.end();
    StepView.Outcome outcome =
        end == null
            ? StepView.Outcome.OPEN
            : end.complete() ? StepView.Outcome.DONE : StepView.Outcome.FAILED;
    return new RunView(
        "run",
        begin.id(),
        run.began().toString(),
        run.ended() == null ? null : run.ended().toString(),
        begin.command(),
        begin.user(),
        begin.cluster(),
        begin.paths(),
        begin.to(),
        begin.undoes(),
        undoneBy,
        run.steps(),
        end == null ? null : end.done(),
        end == null ? null : end.bytes(),
        outcome);
  }
}
