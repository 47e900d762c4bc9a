package io.tierwise.experiments.run;

import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.Format;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.scenario.PopularitySpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Sections of a scenario that had nothing to do in its runs, so that they changed nothing. */
final class IdleSections {
  private IdleSections() {}

  /** The movements that found no file, in one line, if there are any. */
  static Optional<String> movements(Report report) {
    Predicate<MovementResult> idle = moved -> moved.complete() && moved.files() == 0;
    List<RunCase> meant = casesOf(report, run -> run.movements().stream().anyMatch(idle));
    return meant.stream()
        .findFirst()
        .flatMap(first -> first.runs().get(0).movements().stream().filter(idle).findFirst())
        .map(
            moved ->
                "a movement"
                    + RunRemarks.which(meant, report)
                    + " moved nothing: when it began no file was at "
                    + moved.path()
                    + ", or below it");
  }

  /** The cases whose popularity was never looked at, in one line, if there are any. */
  static Optional<String> popularity(Report report) {
    List<RunCase> meant =
        casesOf(report, run -> run.complete() && Double.isNaN(run.stored().bytesMean())).stream()
            .filter(each -> each.scenario().upkeep().popularity().isPresent())
            .toList();
    return meant.stream()
        .findFirst()
        .flatMap(first -> first.scenario().upkeep().popularity())
        .map(PopularitySpec::windowSeconds)
        .map(
            seconds ->
                "popularity"
                    + RunRemarks.which(meant, report)
                    + " changed nothing: no window of "
                    + Format.SECONDS.text(seconds)
                    + " in which a job began to read ended before the workload; popularity.window"
                    + " makes them shorter");
  }

  /** The cases of which all runs are so. */
  private static List<RunCase> casesOf(Report report, Predicate<RunResult> all) {
    return report.cases().stream().filter(each -> each.runs().stream().allMatch(all)).toList();
  }
}
