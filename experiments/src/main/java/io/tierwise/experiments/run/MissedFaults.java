package io.tierwise.experiments.run;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.Format;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.scenario.FaultSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Faults that a scenario asks for and that its runs were over before. */
final class MissedFaults {
  private MissedFaults() {}

  /** Their names in one line, if there are any. */
  static Optional<String> of(Report report) {
    int runs = 0;
    int missing = 0;
    FaultSpec first = null;
    for (RunCase each : report.cases()) {
      List<FaultSpec> faults =
          each.scenario().faults().stream()
              .sorted(Comparator.comparingDouble(FaultSpec::atSeconds))
              .toList();
      for (RunResult run : each.runs()) {
        runs++;
        int happened = (int) run.faults().failures();
        if (run.complete() && happened < faults.size()) {
          missing++;
          FaultSpec missed = faults.get(happened);
          first = first == null || missed.atSeconds() < first.atSeconds() ? missed : first;
        }
      }
    }
    if (first == null) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%sthe workload was over before faults happened, first of them %s at %s",
            runs == 1 ? "" : "in " + missing + " of " + runs + " runs ",
            first.target().name().toLowerCase(Locale.ROOT) + " " + first.name(),
            Format.SECONDS.text(first.atSeconds())));
  }
}
