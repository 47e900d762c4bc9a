package io.tierwise.cli.simulate;

import io.tierwise.experiments.sweep.Grid;
import io.tierwise.experiments.sweep.SweepResult;
import io.tierwise.simulator.report.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise sweep}. */
@Command(
    name = "sweep",
    description = {
      "Runs a scenario for all combinations of what some keys may be, and marks the best.",
      "The best are the Pareto front: points that no other one beats in time, energy, money and"
          + " risk at once. Points with different workloads have fronts of their own. Figures"
          + " that differ by less than a billionth are equal.",
      "'tierwise halve' finds the best of many points with few runs, 'tierwise search' the best"
          + " value of one key."
    },
    footer = "  tierwise sweep mine.yaml --vary policies.placement=stock,hybrid")
public final class SweepCommand extends SweepAction {
  @Mixin private VaryOption vary;

  @Option(
      names = "--objectives",
      paramLabel = "FIGURE",
      split = ",",
      description = {
        "What the front is about, less being better (default: makespan_seconds, energy_joules,"
            + " hardware_dollars, storage_dollars_per_gigabyte, loss_risk_a_day: those that differ)."
      })
  private List<String> objectives = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    List<Figure> figures = SweepResult.objectives(objectives, "--objectives");
    Grid grid = vary.grid();
    List<Grid.Point> points = grid.points(scenario());
    return run(points, points.size(), null, (runs, sized) -> runs.all(grid.keys(), sized, figures));
  }
}
