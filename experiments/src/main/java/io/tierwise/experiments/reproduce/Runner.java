package io.tierwise.experiments.reproduce;

import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.RunListener;
import io.tierwise.simulator.report.Estimate;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Makes the runs of a reproduction and the numbers out of them. */
public final class Runner {
  private static final String TRACES = "TIERWISE_TRACES";

  private final Reproduction reproduction;
  private final List<String> settings;
  private final Path data;
  private final Map<String, RunCase> ran = new LinkedHashMap<>();

  /**
   * @param settings laid over every run
   * @param data folder of the user's traces; null when there is none
   */
  public Runner(Reproduction reproduction, List<String> settings, Path data) {
    this.reproduction = reproduction;
    this.settings = settings;
    this.data = data;
  }

  /**
   * Makes the runs that rows need.
   *
   * @param wanted of the rows
   */
  public void run(
      Predicate<RowPlan> wanted, int threads, RunListener listener, BooleanSupplier stopped) {
    Map<Integer, List<CaseSpec>> bySeeds = new TreeMap<>();
    for (RunPlan run : reproduction.runs().values()) {
      boolean needed =
          reproduction.plans().values().stream()
              .anyMatch(row -> wanted.test(row) && row.runs().contains(run.name()));
      if (needed && (data != null || !run.needsData())) {
        bySeeds.computeIfAbsent(run.seeds(), count -> new ArrayList<>()).add(spec(run));
      }
    }
    bySeeds.forEach(
        (seeds, cases) -> {
          StoppingRule rule = StoppingRule.exactly(seeds);
          for (RunCase each : new CaseRuns(cases, rule, listener, stopped).run(threads)) {
            if (each.complete() && each.runs().size() == seeds) {
              ran.put(each.label(), each);
            }
          }
        });
  }

  private CaseSpec spec(RunPlan run) {
    String file = reproduction.folder().resolve(run.scenario()).toString();
    ScenarioFiles scenario = ScenarioFiles.load(file);
    for (String setting : run.settings()) {
      String filled = data == null ? setting : setting.replace("{data}", data.toString());
      scenario = scenario.with(filled, "runs.yaml, " + run.name() + ":");
    }
    for (String setting : settings) {
      scenario = scenario.with(setting, "--set");
    }
    return new CaseSpec(run.name(), scenario.scenario());
  }

  /** All printed numbers beside ours, those that rows do not want as not run. */
  public List<Comparison> compare(Predicate<RowPlan> wanted) {
    List<Comparison> all = new ArrayList<>();
    for (ExpectedRow row : reproduction.expected()) {
      RowPlan plan = reproduction.plans().get(row.key());
      boolean known = wanted.test(plan) && ran.keySet().containsAll(plan.runs());
      all.add(
          new Comparison(
              row,
              reproduction.tolerances().get(row.key()),
              known ? estimate(plan) : null,
              plan.calibrated(),
              plan.cause()));
    }
    return all;
  }

  /** The formula's value with each seed: runs with the same seed met the same chance. */
  private Estimate estimate(RowPlan plan) {
    int seeds = plan.runs().stream().mapToInt(run -> ran.get(run).runs().size()).min().orElse(1);
    double[] values = new double[seeds];
    for (int i = 0; i < seeds; i++) {
      int seed = i;
      values[i] =
          Formula.evaluate(
              plan.formula(),
              reproduction.templates().members(),
              (run, figure) -> figure(ran.get(run), figure, seed));
    }
    return Estimate.of(values);
  }

  private static double figure(RunCase run, String name, int seed) {
    List<String> tiers = run.tierNames();
    return Stream.concat(Figure.all(tiers).stream(), Figure.networkOfTiers(tiers).stream())
        .filter(figure -> figure.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("run " + run.label() + " has no figure " + name))
        .measure()
        .of(run.runs().get(seed), run.scenario());
  }

  /**
   * The folder of the user's traces.
   *
   * @param given null: the one that the environment names
   * @return null when there is none
   * @throws OperatorException when it holds no traces
   */
  public static Path tracesIn(Path given) {
    String named = given == null ? System.getenv(TRACES) : null;
    Path folder = named == null ? given : Path.of(named);
    if (folder == null) {
      return null;
    }
    String origin = (given == null ? TRACES + "=" : "--data ") + folder;
    if (!Files.isDirectory(folder)) {
      throw OperatorException.badInput(origin + " is no directory");
    }
    if (!Files.isDirectory(folder.resolve("swim"))) {
      throw OperatorException.badInput(origin + " has no folder 'swim': name the folder above it");
    }
    return folder.toAbsolutePath();
  }
}
