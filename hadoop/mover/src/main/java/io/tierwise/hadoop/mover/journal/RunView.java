package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A run for those who look at it.
 *
 * @param undoneBy the id of a run that took it back; null for none
 * @param steps moves and changes that were written down
 * @param done of them; null where nobody wrote down how it ended
 * @param bytes that were moved; null likewise
 */
public record RunView(
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
    StepView.Outcome result) {

  /** Runs in their order; what undoes one of them is among them. */
  public static List<RunView> of(List<RunSummary> runs) {
    Map<String, String> undone = new LinkedHashMap<>();
    for (RunSummary run : runs) {
      if (run.begin().undoes() != null) {
        undone.put(run.begin().undoes(), run.begin().id());
      }
    }
    List<RunView> views = new ArrayList<>();
    runs.forEach(run -> views.add(of(run, undone.get(run.begin().id()))));
    return views;
  }

  private static RunView of(RunSummary run, String undoneBy) {
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

  /** Runs for people. */
  public static Table table(List<RunView> runs) {
    Table table =
        new Table().text("id", "command", "path").number("done", "bytes").text("result").keys(1);
    for (RunView view : runs) {
      table.row(
          view.id(),
          view.command(),
          view.pathsText(),
          view.done(),
          view.bytes() == null ? null : Words.bytes(view.bytes()),
          view.resultText());
    }
    return table;
  }

  /** The paths, for people; a dash for a run that names none, as the monitor's do. */
  String pathsText() {
    if (paths.isEmpty()) {
      return "-";
    }
    return paths.get(0) + (paths.size() == 1 ? "" : " and " + (paths.size() - 1) + " more");
  }

  /** The result, for people. */
  private String resultText() {
    return undoneBy == null ? Words.word(result.name()) : "undone";
  }
}
