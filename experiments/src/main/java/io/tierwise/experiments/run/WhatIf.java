package io.tierwise.experiments.run;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.Format;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The gain and the cost of a scenario's movements: the same jobs with the same chance, once without
 * and once with them.
 *
 * @param movements as the run with the first seed made them
 * @param jobs of all runs
 * @param meanwhile those jobs of {@code jobs} that ran while something moved
 */
public record WhatIf(List<Movement> movements, Jobs jobs, Jobs meanwhile) {
  /**
   * One movement.
   *
   * @param startSeconds since the start of the run; null when it never began
   * @param seconds from there to its last move
   * @param secondsAtLimits that its bytes take at its bandwidths: more means that devices, links,
   *     jobs or repairs held it up
   */
  public record Movement(
      String path,
      String placement,
      boolean complete,
      Double startSeconds,
      double seconds,
      double secondsAtLimits,
      long files,
      long blocks,
      long blocksAsWanted,
      long replicas,
      long bytes,
      long networkBytes,
      List<MovementResult.Left> left,
      List<TierChange> tiers) {
    /** The sum for people. */
    public String text() {
      return (complete() ? "would move " : "would have moved, by the end of the run, ")
          + Words.count(replicas(), "replica")
          + " ("
          + size(bytes())
          + ", "
          + size(networkBytes())
          + " between nodes) in "
          + Format.SECONDS.text(seconds())
          + " ("
          + Format.SECONDS.text(secondsAtLimits())
          + " at the bandwidths alone); "
          + Words.count(blocksAsWanted(), "block")
          + " of "
          + String.format(Locale.ROOT, "%,d", blocks())
          + " in "
          + Words.count(files(), "file")
          + (blocksAsWanted() == 1 ? " is" : " are")
          + " as wanted";
    }

    /** The bytes that come to and leave each tier, for people. */
    public Table table() {
      Table table = new Table().text("tier").number("comes").number("becomes free");
      tiers.forEach(tier -> table.row(tier.tier(), size(tier.comeBytes()), size(tier.goBytes())));
      return table;
    }

    /** All of it for a terminal. */
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add(Fold.text(path + " to " + placement));
      lines.add(Fold.text(text()));
      if (replicas > 0) {
        lines.addAll(TextTable.lines(table()));
      }
      if (!left.isEmpty()) {
        lines.add("would stay:");
        staying().forEach(line -> lines.add(Fold.text("- " + line)));
      }
      return lines;
    }

    /** The replicas that stay, a line a reason, for people. */
    private List<String> staying() {
      return left.stream()
          .map(
              one ->
                  Words.count(one.replicas(), "replica")
                      + " ("
                      + size(one.bytes())
                      + "): "
                      + one.reason())
          .toList();
    }
  }

  private static String size(long bytes) {
    return Format.BYTES.text((double) bytes);
  }

  /** Bytes that come to a tier, and that become free there. */
  public record TierChange(String tier, long comeBytes, long goBytes) {}

  /**
   * Jobs that finished in both.
   *
   * @param meanSecondsWithout null where there is no job
   * @param growthShare of the mean, 0.1 for a tenth more; null where there is no job
   * @param worstGrowthShare of the job that lost most; null where there is no job
   */
  public record Jobs(
      long count,
      Double meanSecondsWithout,
      Double meanSecondsWith,
      Double growthShare,
      Double worstGrowthShare) {
    /** For people, of jobs that ran while something moved. */
    public String text() {
      if (count() == 0) {
        return "no job runs meanwhile";
      }
      return Words.count(count(), "job")
          + (count() == 1 ? " runs" : " run")
          + " meanwhile: "
          + Format.SECONDS.text(meanSecondsWith())
          + " on average instead of "
          + Format.SECONDS.text(meanSecondsWithout())
          + String.format(
              Locale.ROOT,
              " (%+.1f%%); the one that loses most takes %+.1f%%",
              100 * growthShare,
              100 * worstGrowthShare);
    }
  }

  /** The key of a scenario that asks for a movement. */
  public static String setting(String path, String placement, String at, MovementLimits bounds) {
    return String.format(
        Locale.ROOT,
        "movement=[{path: %s, placement: %s, at: %s, bandwidth: %d B/s, bandwidth-volume: %d B/s,"
            + " bandwidth-total: %d B/s, moves-per-node: %d, moves-per-second: %d, keep-free: %s,"
            + " yield-above: %d}]",
        ScenarioWriter.quoted(path),
        ScenarioWriter.quoted(placement),
        ScenarioWriter.quoted(at),
        bounds.nodeBytesPerSecond(),
        bounds.volumeBytesPerSecond(),
        bounds.allBytesPerSecond(),
        bounds.movesPerNode(),
        bounds.nodeMovesPerSecond(),
        bounds.keptFreeShare(),
        bounds.yieldAbove());
  }

  /** The two cases to run: without the scenario's movements, and with them. */
  public static List<CaseSpec> cases(Scenario scenario) {
    if (scenario.movements().isEmpty()) {
      throw OperatorException.badInput(
          "the scenario moves nothing: give --path and --to, or the file the key movement");
    }
    return List.of(
        new CaseSpec("without", scenario.withMovements(List.of())), new CaseSpec("with", scenario));
  }

  /**
   * Refuses an answer about nothing: a path that is misspelt would seem to cost nothing.
   *
   * @throws OperatorException when no movement found a file
   */
  public void refuseWithoutFiles(Scenario scenario) {
    if (movements.stream().allMatch(movement -> movement.files() == 0)) {
      List<String> stored = scenario.stored().stream().map(StoredSpec::path).distinct().toList();
      throw OperatorException.badInput(
          "no file is at "
              + movements.stream().map(Movement::path).collect(Collectors.joining(" or "))
              + ", or below it; the scenario "
              + (stored.isEmpty() ? "stores none" : "stores " + String.join(", ", stored)));
    }
  }

  /** The answer by runs of both, seed by seed. */
  public static WhatIf of(RunCase without, RunCase with) {
    List<double[]> all = new ArrayList<>();
    List<double[]> meanwhile = new ArrayList<>();
    int seeds = Math.min(without.runs().size(), with.runs().size());
    for (int seed = 0; seed < seeds; seed++) {
      compare(without.runs().get(seed), with.runs().get(seed), all, meanwhile);
    }
    RunResult first = with.runs().get(0);
    return new WhatIf(
        first.movements().stream().map(each -> movement(each, first.tierNames())).toList(),
        jobs(all),
        jobs(meanwhile));
  }

  private static void compare(
      RunResult without, RunResult with, List<double[]> all, List<double[]> meanwhile) {
    Map<Integer, Double> before = new LinkedHashMap<>();
    for (int i = 0; i < without.jobTimes().ids().length; i++) {
      before.put(without.jobTimes().ids()[i], without.jobTimes().seconds()[i]);
    }
    RunResult.JobTimes times = with.jobTimes();
    for (int i = 0; i < times.ids().length; i++) {
      Double alone = before.get(times.ids()[i]);
      if (alone == null) {
        continue;
      }
      double[] pair = {alone, times.seconds()[i]};
      all.add(pair);
      double submitted = times.submitSeconds()[i];
      boolean met =
          with.movements().stream()
              .anyMatch(each -> overlaps(each, submitted, submitted + pair[1]));
      if (met) {
        meanwhile.add(pair);
      }
    }
  }

  private static boolean overlaps(MovementResult movement, double from, double until) {
    boolean moved = movement.seconds() > 0;
    return moved
        && from < movement.startSeconds() + movement.seconds()
        && until > movement.startSeconds();
  }

  private static Jobs jobs(List<double[]> pairs) {
    if (pairs.isEmpty()) {
      return new Jobs(0, null, null, null, null);
    }
    double without = pairs.stream().mapToDouble(pair -> pair[0]).sum() / pairs.size();
    double with = pairs.stream().mapToDouble(pair -> pair[1]).sum() / pairs.size();
    double worst =
        pairs.stream()
            .map(pair -> pair[1] / pair[0] - 1)
            .max(Comparator.naturalOrder())
            .orElseThrow();
    return new Jobs(pairs.size(), without, with, with / without - 1, worst);
  }

  private static Movement movement(MovementResult result, List<String> tierNames) {
    List<TierChange> tiers = new ArrayList<>();
    for (int tier = 0; tier < tierNames.size(); tier++) {
      tiers.add(
          new TierChange(
              tierNames.get(tier), result.comeBytesByTier()[tier], result.goBytesByTier()[tier]));
    }
    return new Movement(
        result.path(),
        result.placement(),
        result.complete(),
        Double.isNaN(result.startSeconds()) ? null : result.startSeconds(),
        result.seconds(),
        result.secondsAtLimits(),
        result.files(),
        result.blocks(),
        result.blocksAsWanted(),
        result.replicas(),
        result.bytes(),
        result.networkBytes(),
        result.left(),
        tiers);
  }
}
