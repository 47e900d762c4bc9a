package io.tierwise.experiments.run;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.Estimate;
import io.tierwise.simulator.report.Report;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Remarks that a reader of the figures of runs has to know. */
public final class RunRemarks {
  /** Own: beyond half of the bytes, figures of reads tell of memory, not of tiers. */
  private static final double CACHED_SHARE_MAX = 0.5;

  private RunRemarks() {}

  /** All that is to be said beside the figures, a line each. */
  public static List<String> of(Report report) {
    return Stream.of(
            onlyFailures(report),
            MissedFaults.of(report),
            IdleSections.movements(report),
            IdleSections.popularity(report),
            cachedReads(report),
            unaskedCurves(report))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * The remark beside figures of runs that were interrupted.
   *
   * @param wanted how many of {@code things} were to run
   */
  public static String interrupted(Report report, int wanted, String things) {
    return String.format(
        Locale.ROOT,
        "interrupted: %d of %d %s are here, some with fewer seeds than asked for or, where"
            + " marked, as far as they came",
        report.cases().size(),
        wanted,
        things);
  }

  /** The cases of which no job finished, in one line, if there are any. */
  private static Optional<String> onlyFailures(Report report) {
    List<RunCase> failed = report.cases().stream().filter(RunCase::hasOnlyFailedJobs).toList();
    if (failed.isEmpty()) {
      return Optional.empty();
    }
    RunCase first = failed.get(0);
    String failure =
        first.runs().stream()
            .map(run -> run.jobs().firstFailure())
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse("");
    return Optional.of("all jobs" + which(failed, report) + " failed, the first: " + failure);
  }

  /** Which cases a remark is about, where a report has several. */
  static String which(List<RunCase> meant, Report report) {
    int all = report.cases().size();
    return all == 1
        ? ""
        : " of " + meant.get(0).label() + " (" + meant.size() + " of " + all + " cases)";
  }

  /** That scenarios side by side run different jobs, if they do. */
  public static List<String> differentJobs(Report report) {
    RunCase first = report.cases().get(0);
    return report.cases().stream()
        .filter(each -> !each.runsTheJobsOf(first))
        .map(
            each ->
                first.label()
                    + " and "
                    + each.label()
                    + " run different jobs, so that their figures do not compare: base both on"
                    + " one workload")
        .toList();
  }

  /** Whether no job finished in any case. */
  public static boolean nothingFinished(Report report) {
    return report.cases().stream().allMatch(RunCase::hasOnlyFailedJobs);
  }

  /** The cases that read mostly from page caches, in one line, if any do. */
  private static Optional<String> cachedReads(Report report) {
    List<RunCase> cached =
        report.cases().stream().filter(each -> cachedShare(each) > CACHED_SHARE_MAX).toList();
    if (cached.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%.0f%% of the reads%s came from page caches, not from devices: tiers hardly count"
                + " here; --set model.drop-caches=true begins with cold caches",
            100 * cachedShare(cached.get(0)),
            which(cached, report)));
  }

  /** The cases that only write, through buffers, to devices with a curve, in one line. */
  private static Optional<String> unaskedCurves(Report report) {
    List<RunCase> meant =
        report.cases().stream()
            .filter(each -> !each.scenario().model().writeThrough())
            .filter(each -> each.runs().stream().allMatch(run -> run.reads().bytes() == 0))
            .filter(each -> !curved(each).isEmpty())
            .toList();
    if (meant.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "nothing was read"
            + which(meant, report)
            + ", and buffers write a device back as one stream: the curve of "
            + String.join(", ", curved(meant.get(0)))
            + " changed nothing; --set model.write-through=true asks it for every writer");
  }

  /** Devices whose throughput depends on streams. */
  private static List<String> curved(RunCase of) {
    return of.scenario().cluster().racks().stream()
        .flatMap(rack -> rack.groups().stream())
        .flatMap(group -> group.node().volumes().stream())
        .map(VolumeGroup::device)
        .filter(device -> device.curve().stream().anyMatch(point -> point.share() != 1))
        .map(DeviceSpec::name)
        .distinct()
        .toList();
  }

  private static double cachedShare(RunCase runs) {
    long cached = runs.runs().stream().map(RunResult::reads).mapToLong(r -> r.cachedBytes()).sum();
    long all = runs.runs().stream().map(RunResult::reads).mapToLong(r -> r.bytes()).sum();
    return all == 0 ? 0 : cached / (double) all;
  }

  /** Cases that ran out of seeds before their makespan was as precise as was asked, a line each. */
  public static List<String> imprecise(Report report, StoppingRule rule) {
    List<String> lines = new ArrayList<>();
    for (RunCase each : report.cases()) {
      double[] makespans = each.runs().stream().mapToDouble(RunResult::makespanSeconds).toArray();
      boolean asked = rule.share() > 0 && each.complete() && makespans.length == rule.countMax();
      double reached = asked ? Estimate.of(makespans).relativeHalfWidth() : 0;
      if (reached > rule.share()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "--precision %s is missed by %s: ±%.1f%% after %d seeds; give more --seeds",
                percent(rule.share()),
                each.label(),
                100 * reached,
                makespans.length));
      }
    }
    return lines;
  }

  /** As a person writes it: 2%, and not 2.00%. */
  private static String percent(double share) {
    return new BigDecimal(String.format(Locale.ROOT, "%.3g", 100 * share))
            .stripTrailingZeros()
            .toPlainString()
        + "%";
  }
}
