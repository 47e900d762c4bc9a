package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.OperatorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A search in a journal; null asks for any.
 *
 * @param id of one run, or {@code last}
 * @param command of runs
 * @param since when runs began
 * @param file at or below which steps are
 * @param rule a text in the policy or the rule of steps
 * @param result of runs, or of steps
 */
public record JournalSearch(
    String id, String command, Instant since, String file, String rule, StepView.Outcome result) {
  /** Whether it asks for steps rather than whole runs. */
  public boolean isOfSteps() {
    return id != null || file != null || rule != null;
  }

  /**
   * The runs that it is about, the oldest first.
   *
   * @param damaged hears of files that cannot be read, unless that is the one asked for
   */
  public List<RunSummary> runs(Journal journal, Consumer<String> damaged) {
    List<RunSummary> runs = new ArrayList<>();
    for (String run : id == null ? journal.runs() : List.of(journal.resolve(id))) {
      try {
        RunSummary summary = RunSummary.read(journal, run);
        boolean asked = command == null || summary.begin().command().equals(command);
        if (asked && (since == null || !summary.began().isBefore(since))) {
          runs.add(summary);
        }
      } catch (OperatorException e) {
        if (id != null) {
          throw e;
        }
        damaged.accept(e.getMessage());
      }
    }
    return runs;
  }

  /**
   * Why a journal has no run that it is about, for people.
   *
   * @param isNamed whether a person named the directory: then it is to be there
   * @throws OperatorException when it is named and no directory
   */
  public String emptiness(Journal journal, boolean isNamed) {
    Path directory = journal.directory();
    boolean isThere = Files.isDirectory(directory);
    if (isNamed && !isThere) {
      throw OperatorException.badInput(
          directory + " is no directory of a journal: name the one that the run named");
    }
    return isThere && !journal.runs().isEmpty()
        ? "no such run in the journal " + directory
        : "no run yet in the journal "
            + directory
            + " of "
            + System.getProperty("user.name")
            + " on this machine; other users and machines have their own";
  }

  /** Those of the runs that ended as it asks. */
  public List<RunView> views(List<RunSummary> runs) {
    return RunView.of(runs).stream().filter(view -> is(view.result())).toList();
  }

  /** Tells those of a run's steps that it asks for. */
  public void steps(PastRun run, Consumer<StepView> told) {
    run.read(
        step -> {
          StepView view = StepView.of(run.begin().id(), step);
          if (view.isAt(file) && view.has(rule) && is(view.result())) {
            told.accept(view);
          }
        });
  }

  private boolean is(StepView.Outcome outcome) {
    return result == null || result == outcome;
  }
}
