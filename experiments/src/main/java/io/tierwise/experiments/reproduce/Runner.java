package io.tierwise.experiments.reproduce;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.RunListener;
import io.tierwise.simulator.report.Estimate;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.report.PaperFigures;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the runs of a reproduction and the numbers out of them. Runs that an interrupted call kept
 * are not made again.
 */
public final class Runner {
  private static final String TRACES = "TIERWISE_TRACES";

  private final Reproduction reproduction;
  private final List<String> settings;
  private final Path data;
  private final Consumer<String> remark;
  private final KeptRuns kept;

  /** The figures of each run that is done with a seed, by run and seed; a run may lack some. */
  private final Map<String, Map<Integer, Map<String, Double>>> figures = new HashMap<>();

  private Map<KeptRuns.Key, Scenario> runs = Map.of();

  /** Of them those that were not made by this call. */
  private final Set<KeptRuns.Key> earlier = new LinkedHashSet<>();

  /**
   * @param settings laid over every run
   * @param data folder of the user's traces; null when there is none
   * @param remark hears what a user should know, a line each
   */
  public Runner(
      Reproduction reproduction, List<String> settings, Path data, Consumer<String> remark) {
    this.reproduction = reproduction;
    this.settings = settings;
    this.data = data;
    this.remark = remark;
    this.kept = KeptRuns.in(reproduction.folder(), settings);
  }

  /**
   * Makes the runs that rows need.
   *
   * @param wanted of the rows
   */
  public void run(
      Predicate<RowPlan> wanted, int threads, RunListener listener, BooleanSupplier stopped) {
    runs = wantedRuns(wanted);
    if (!settings.isEmpty() && reproduction.runs().isEmpty()) {
      remark.accept(
          reproduction.paper() + " has no runs here: settings change none of its numbers");
    }
    Map<String, KeptRuns.Key> missing = new LinkedHashMap<>();
    List<CaseSpec> cases = new ArrayList<>();
    runs.forEach(
        (key, scenario) -> {
          if (kept.find(key) != null) {
            earlier.add(key);
            note(key, kept.find(key));
          } else {
            // Each seed is a case of its own, so that runs that are over count one by one.
            String label = key.run() + ", seed " + key.seed();
            missing.put(label, key);
            cases.add(new CaseSpec(label, scenario));
          }
        });
    if (cases.size() < runs.size()) {
      remark.accept(
          text(runs.size() - cases.size()) + " were kept by an interrupted call: not run again");
    }
    StoppingRule once = StoppingRule.exactly(1);
    new CaseRuns(cases, once, listener, stopped)
        .telling(each -> isOver(missing.get(each.label()), each))
        .run(threads);
  }

  private void isOver(KeptRuns.Key key, RunCase once) {
    if (once.complete()) {
      note(key, figuresOf(once));
      kept.add(key, figures.get(key.run()).get(key.seed()));
      kept.writeNowAndThen();
    }
  }

  /**
   * Reads the scenarios of the runs that rows need, with all settings; runs nothing.
   *
   * @param wanted of the rows
   * @throws OperatorException when one is wrong, or lacks a figure that a row asks for
   */
  public void check(Predicate<RowPlan> wanted) {
    Map<String, Set<String>> names = new HashMap<>();
    neededRuns(wanted).forEach(run -> names.put(run.name(), figureNames(scenario(run))));
    requireFigures(wanted, names);
  }

  /** The names of the figures that a run of a scenario has. */
  private static Set<String> figureNames(Scenario scenario) {
    return figures(ScenarioTiers.table(scenario).tiers().stream().map(Tier::name).toList())
        .map(Figure::name)
        .collect(Collectors.toSet());
  }

  /** Refuses a row whose formula names what its run does not have: before hours of runs. */
  private void requireFigures(Predicate<RowPlan> wanted, Map<String, Set<String>> names) {
    for (RowPlan row : reproduction.plans().values()) {
      if (wanted.test(row)) {
        Formula.evaluate(
            row.formula(),
            reproduction.templates().members(),
            (run, figure) -> {
              if (names.containsKey(run) && !names.get(run).contains(figure)) {
                throw OperatorException.badInput(
                    "runs.yaml: " + row.key() + ": run " + run + " has no figure " + figure);
              }
              return 1;
            });
      }
    }
  }

  /** Each run that rows need, with each of its seeds. */
  private Map<KeptRuns.Key, Scenario> wantedRuns(Predicate<RowPlan> wanted) {
    RunStamp stamps = new RunStamp();
    Map<KeptRuns.Key, Scenario> all = new LinkedHashMap<>();
    Map<String, Set<String>> names = new HashMap<>();
    for (RunPlan run : neededRuns(wanted)) {
      Scenario scenario = scenario(run);
      names.put(run.name(), figureNames(scenario));
      for (int seed = 0; seed < run.seeds(); seed++) {
        Scenario seeded = scenario.withSeed(scenario.seed() + seed);
        all.put(new KeptRuns.Key(run.name(), seed, stamps.of(seeded)), seeded);
      }
    }
    requireFigures(wanted, names);
    return all;
  }

  private List<RunPlan> neededRuns(Predicate<RowPlan> wanted) {
    return reproduction.runs().values().stream()
        .filter(
            run ->
                reproduction.plans().values().stream()
                    .anyMatch(row -> wanted.test(row) && row.runs().contains(run.name())))
        .filter(run -> data != null || !run.needsData())
        .toList();
  }

  private String text(int over) {
    return over + " of " + runs.size() + " runs of " + reproduction.paper();
  }

  private void note(KeptRuns.Key key, Map<String, Double> byName) {
    figures.computeIfAbsent(key.run(), run -> new HashMap<>()).put(key.seed(), byName);
  }

  private static Map<String, Double> figuresOf(RunCase once) {
    Map<String, Double> byName = new LinkedHashMap<>();
    figures(once.tierNames())
        .forEach(
            figure ->
                byName.putIfAbsent(
                    figure.name(), figure.measure().of(once.runs().get(0), once.scenario())));
    return byName;
  }

  private static Stream<Figure> figures(List<String> tiers) {
    return Stream.of(Figure.all(tiers), PaperFigures.all(tiers)).flatMap(List::stream);
  }

  /** Whether a run is over, so that there is something to keep. */
  public boolean isBegun() {
    return !figures.isEmpty();
  }

  /**
   * Keeps the runs that are over for the next call.
   *
   * @return a line that says which they are and where
   */
  public String keep() {
    int over = figures.values().stream().mapToInt(Map::size).sum();
    if (over == 0) {
      return text(over) + " were over: nothing is kept";
    }
    try {
      kept.write();
      return text(over) + " are kept in " + kept.file() + ": the same command goes on from there";
    } catch (IOException e) {
      return text(over) + " cannot be kept: " + kept.file() + ": " + e.getMessage();
    }
  }

  /** Forgets what is kept of these runs: the results have it. */
  public void forget() {
    forget(runs.keySet());
  }

  /**
   * Forgets the runs of this call alone: what interrupted calls kept is for one that writes
   * results.
   */
  public void forgetOwn() {
    Set<KeptRuns.Key> own = new LinkedHashSet<>(runs.keySet());
    own.removeAll(earlier);
    forget(own);
  }

  private void forget(Set<KeptRuns.Key> which) {
    try {
      kept.forget(which);
    } catch (IOException e) {
      throw OperatorException.cluster(kept.file() + " cannot be changed: " + e.getMessage(), e);
    }
  }

  private Scenario scenario(RunPlan run) {
    String file = reproduction.folder().resolve(run.scenario()).toString();
    ScenarioFiles scenario = ScenarioFiles.load(file);
    for (String setting : run.settings()) {
      String filled = data == null ? setting : setting.replace("{data}", data.toString());
      scenario = scenario.with(filled, "runs.yaml, " + run.name() + ":");
    }
    for (String setting : settings) {
      scenario = scenario.with(setting, "--set");
    }
    return scenario.scenario();
  }

  /**
   * All printed numbers beside ours, and what else is ours; those that rows do not want as not run.
   */
  public List<Comparison> compare(Predicate<RowPlan> wanted) {
    List<Comparison> all = new ArrayList<>();
    Map<RowKey, Printed> printed = new HashMap<>();
    reproduction.expected().stream()
        .filter(ExpectedRow::isPrinted)
        .forEach(row -> printed.put(row.key(), row.printed()));
    for (ExpectedRow row : reproduction.expected()) {
      RowPlan plan = reproduction.plans().get(row.key());
      boolean known = wanted.test(plan) && plan.runs().stream().allMatch(this::isDone);
      all.add(
          new Comparison(
              row,
              reproduction.tolerances().get(row.key()),
              known ? estimate(plan, row.isPrinted()) : null,
              NullModel.of(row, plan.noEffect(), printed),
              plan.basis(),
              plan.cause()));
    }
    return all;
  }

  private boolean isDone(String run) {
    return figures.getOrDefault(run, Map.of()).size() == reproduction.runs().get(run).seeds();
  }

  /**
   * The formula's value with each seed: runs with the same seed met the same chance.
   *
   * @param everySeed whether each has to have it; else the mean is over those that do, as the rate
   *     from a distance that not every run has a reader at
   */
  private Estimate estimate(RowPlan plan, boolean everySeed) {
    int seeds = plan.runs().stream().mapToInt(run -> figures.get(run).size()).min().orElse(1);
    double[] values = new double[seeds];
    for (int i = 0; i < seeds; i++) {
      int seed = i;
      values[i] =
          Formula.evaluate(
              plan.formula(),
              reproduction.templates().members(),
              (run, figure) -> figure(run, figure, seed));
    }
    boolean all = everySeed || Arrays.stream(values).allMatch(Double::isNaN);
    return Estimate.of(
        Arrays.stream(values).filter(value -> all || !Double.isNaN(value)).toArray());
  }

  private double figure(String run, String name, int seed) {
    Double value = figures.get(run).get(seed).get(name);
    if (value == null) {
      throw new IllegalArgumentException("run " + run + " has no figure " + name);
    }
    return value;
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
