package io.tierwise.experiments.advise;

import io.tierwise.core.use.ReadHistory;
import io.tierwise.experiments.advise.ReplicationAnswer.Decider;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.scenario.PopularitySpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cases of a replay in which the number of replicas follows popularity: the systems of
 * DerbyhatS, 5.3.8.1, with one budget for all.
 *
 * <p>Source of the window: 5.3.8.1, an hour. Source of the budget: Fig. 5.9, which prints 13% more
 * storage for Scarlett. Own: the same for all, so that storage is compared at equal limits; all
 * files on the slow tier, so that nothing but replicas differs.
 */
final class ReplicaReplay {
  private static final double WINDOW_SECONDS = 3_600;
  private static final double EXTRA_SHARE = 0.13;

  private final ReplayCluster cluster;
  private final List<ReadHistory.ReadFile> files;

  ReplicaReplay(ReplayCluster cluster, List<ReadHistory.ReadFile> files) {
    this.cluster = cluster;
    this.files = files;
  }

  /** Whether reads last so long that something decided at the end of a window is tried. */
  static boolean holds(double seconds) {
    return seconds >= 2 * WINDOW_SECONDS;
  }

  private List<Decider> deciders() {
    return Decider.of(cluster.secondary().isPresent());
  }

  /** A case a decider. */
  List<CaseSpec> cases() {
    return deciders().stream()
        .map(
            decider ->
                new CaseSpec(
                    decider.title(),
                    cluster.following(files, popularity(decider), LogReplay.HDFS_ACCESS)))
        .toList();
  }

  private PopularitySpec popularity(Decider decider) {
    String secondary = decider.usesSecondary() ? cluster.secondary().orElse("") : "";
    return new PopularitySpec(
        decider.predictor(), WINDOW_SECONDS, secondary, EXTRA_SHARE, List.of());
  }

  /**
   * The answer.
   *
   * @param ran some of it may be other cases; where one of {@link #cases} is missing, because
   *     somebody interrupted it, there are no rows
   * @param bytes of all files
   */
  ReplicationAnswer answer(List<RunCase> ran, double bytes) {
    Map<String, RunResult> byTitle = new LinkedHashMap<>();
    ran.forEach(each -> byTitle.put(each.label(), each.runs().get(0)));
    RunResult usual = byTitle.get(Decider.DEFAULT.title());
    boolean whole = deciders().stream().map(Decider::title).allMatch(byTitle::containsKey);
    List<ReplicationAnswer.Row> rows =
        whole
            ? deciders().stream()
                .map(decider -> row(decider, byTitle.get(decider.title()), usual, bytes))
                .toList()
            : List.of();
    return new ReplicationAnswer(
        cluster.slow(), cluster.secondary().orElse(null), WINDOW_SECONDS, EXTRA_SHARE, rows);
  }

  /** Runs count the files that were read by then; the others have the usual replicas. */
  private ReplicationAnswer.Row row(Decider decider, RunResult run, RunResult usual, double bytes) {
    RunResult.Stored stored = run.stored();
    double usualBytes = bytes * cluster.replicas();
    double storedBytes = usualBytes + stored.bytesMean() - usual.stored().bytesMean();
    double readSeconds = run.jobs().meanSeconds() * run.jobs().finished();
    double usualSeconds = usual.jobs().meanSeconds() * usual.jobs().finished();
    double joules = run.cost().nodeJoules() + Arrays.stream(run.cost().deviceJoulesByClass()).sum();
    return new ReplicationAnswer.Row(
        decider,
        readSeconds,
        run.jobs().meanSeconds(),
        run.jobs().p95Seconds(),
        storedBytes,
        stored.secondaryBytesMean(),
        usualSeconds / readSeconds * (usualBytes / storedBytes),
        stored.filesWithMoreShare(),
        stored.filesInSecondaryShare(),
        joules / Math.max(1e-9, run.makespanSeconds()),
        run.cost().energyDollars(),
        cluster.storedDollars(storedBytes, stored.secondaryBytesMean()));
  }
}
