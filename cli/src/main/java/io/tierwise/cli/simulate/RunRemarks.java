package io.tierwise.cli.simulate;

import io.tierwise.cli.output.Output;
import io.tierwise.simulator.report.Estimate;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.RunResult;
import io.tierwise.simulator.report.StoppingRule;
import java.util.List;
import java.util.Locale;

/** What someone who reads the figures of runs has to know of them. */
final class RunRemarks {
  /** Own: beyond half of the bytes, figures of reads tell of memory, not of tiers. */
  private static final double CACHED_SHARE_MAX = 0.5;

  private RunRemarks() {}

  /** Says in one line which cases read mostly from page caches, if any do. */
  static void sayCachedReads(Report report, Output output) {
    List<RunCase> cached =
        report.cases().stream().filter(each -> cachedShare(each) > CACHED_SHARE_MAX).toList();
    if (cached.isEmpty()) {
      return;
    }
    RunCase first = cached.get(0);
    output.say(
        String.format(
            Locale.ROOT,
            "%.0f%% of the reads%s came from page caches, not from devices: tiers hardly count"
                + " here; --set model.drop-caches=true begins with cold caches",
            100 * cachedShare(first),
            report.cases().size() == 1
                ? ""
                : " of " + first.label() + " (" + cached.size() + " of the cases are so)"));
  }

  private static double cachedShare(RunCase runs) {
    long cached = runs.runs().stream().map(RunResult::reads).mapToLong(r -> r.cachedBytes()).sum();
    long all = runs.runs().stream().map(RunResult::reads).mapToLong(r -> r.bytes()).sum();
    return all == 0 ? 0 : cached / (double) all;
  }

  /**
   * Says which cases ran out of seeds before their makespan was as precise as was asked.
   *
   * @return whether all are precise enough
   */
  static boolean precise(Report report, StoppingRule rule, Output output) {
    boolean all = true;
    for (RunCase each : report.cases()) {
      double[] makespans = each.runs().stream().mapToDouble(RunResult::makespanSeconds).toArray();
      boolean asked = rule.share() > 0 && each.complete() && makespans.length == rule.countMax();
      double reached = asked ? Estimate.of(makespans).relativeHalfWidth() : 0;
      if (reached > rule.share()) {
        all = false;
        output.say(
            String.format(
                Locale.ROOT,
                "--precision %s is missed by %s: +-%.2g%% after %d seeds; give more --seeds",
                percent(rule.share()),
                each.label(),
                100 * reached,
                makespans.length));
      }
    }
    return all;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.3g%%", 100 * share);
  }
}
