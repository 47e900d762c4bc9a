package io.tierwise.benchmarks.simulator;

import io.tierwise.benchmarks.simulator.DecisionRun.Kind;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.util.List;
import java.util.Locale;

/**
 * The cost of a policy's decision beside the event that carries it: runs that decide and runs that
 * have the same decisions take turns. An event is the mean of those that begin a transfer and those
 * that end one, with the division of bandwidth that each of them brings.
 */
final class DecisionSection implements Section {
  private static final String SCENARIO = "benchmarks/simulator/facebook-day.yaml";
  private static final int REPLICAS_MAX = 3;
  private static final int WARM_UPS = 1;
  private static final int ROUNDS = 5;

  private record Case(Kind kind, String policy) {}

  private static final List<Case> CASES =
      List.of(
          new Case(Kind.WRITE, "network-aware"),
          new Case(Kind.WRITE, "hybrid"),
          new Case(Kind.READ, "network-aware"),
          new Case(Kind.READ, "hybrid"));

  @Override
  public void measure(Figures figures) {
    System.out.printf(
        "%-26s %14s %14s %10s%n",
        "decisions, 1,000 nodes", "ns a decision", "ns an event", "ratio");
    double worst = 0;
    for (Case next : CASES) {
      worst = Math.max(worst, ratio(next));
    }
    figures.add("decision_to_event_ratio", worst);
    System.out.println();
  }

  private static double ratio(Case next) {
    String key = next.kind() == Kind.WRITE ? "placement" : "access";
    Scenario scenario =
        ScenarioFiles.load(SCENARIO)
            .with("policies." + key + "=" + next.policy(), "setting")
            .scenario();
    double[] deciding = new double[ROUNDS];
    double[] replaying = new double[ROUNDS];
    double events = 0;
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      int[] decided = new int[REPLICAS_MAX * DecisionRun.BLOCKS];
      double decides = new DecisionRun(scenario, next.kind(), true, decided).run();
      DecisionRun replay = new DecisionRun(scenario, next.kind(), false, decided);
      double replays = replay.run();
      events = replay.eventCount();
      if (round >= 0) {
        deciding[round] = decides;
        replaying[round] = replays;
      }
    }
    double carried = Rounds.of(replaying).median();
    double decision = (Rounds.of(deciding).median() - carried) / DecisionRun.BLOCKS;
    double event = carried / events;
    System.out.printf(
        Locale.ROOT,
        "%-26s %14.0f %14.0f %10.2f%n",
        next.kind().name().toLowerCase(Locale.ROOT) + ", " + next.policy(),
        decision * 1e9,
        event * 1e9,
        decision / event);
    return decision / event;
  }
}
