package io.tierwise.cli.file;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalSearch;
import io.tierwise.hadoop.mover.journal.PastRun;
import io.tierwise.hadoop.mover.journal.RunSummary;
import io.tierwise.hadoop.mover.journal.RunView;
import io.tierwise.hadoop.mover.journal.StepView;
import java.time.Instant;
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
      "Each user has a journal of his own on each machine, unless --journal or the key names one.",
      "Exit code 3 when a file of the journal is damaged or of a newer version; the others are"
          + " shown."
    },
    footer = "  tierwise journal last --file /warehouse/part-0")
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

  private boolean damaged;

  @Override
  public Integer call() {
    Journal journal = options.journal(cluster.configuration());
    Instant from = since == null ? null : RunSummary.time(since, "--since");
    JournalSearch search = new JournalSearch(id, command, from, file, rule, result);
    List<RunSummary> runs = search.runs(journal, this::sayDamage);
    if (runs.isEmpty() && !damaged) {
      output.say(search.emptiness(journal, options.isNamed(cluster.configuration())));
      return 0;
    }
    if (search.isOfSteps()) {
      for (RunSummary run : runs) {
        PastRun past = PastRun.read(journal, run.begin().id());
        search.steps(past, this::print);
        past.cutRemark().ifPresent(output::say);
      }
    } else {
      print(search.views(runs));
    }
    output.out().flush();
    return damaged ? ExitCode.CLUSTER : 0;
  }

  private void sayDamage(String line) {
    damaged = true;
    output.say(line);
  }

  private void print(StepView step) {
    output.answerLine(step, () -> output.fold(step.text()));
    output.requireReader();
  }

  private void print(List<RunView> runs) {
    if (output.json()) {
      runs.forEach(output::printJsonLine);
      return;
    }
    output.table(RunView.table(runs));
  }
}
