package io.tierwise.cli.simulate;

import io.tierwise.experiments.run.SeedCount;
import io.tierwise.experiments.sweep.Grid;
import io.tierwise.experiments.sweep.Halving;
import io.tierwise.simulator.report.Figure;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise halve}. */
@Command(
    name = "halve",
    description = {
      "Finds the best of many points of a scenario with few runs, by successive halving.",
      "Two seeds of each point run first. The best share of them goes on to more seeds, and so on;"
          + " the last ones run as --seeds and --precision say. Points with different workloads are"
          + " not compared."
    },
    footer = "  tierwise halve mine.yaml --vary policies.placement=stock,hybrid")
public final class HalveCommand extends SweepAction {
  @Mixin private VaryOption vary;

  @Mixin private MinimiseOption minimise;

  @Option(
      names = "--keep",
      paramLabel = "SHARE",
      description = "How many go on (default: ${DEFAULT-VALUE}).",
      defaultValue = "50%")
  private String keep;

  /** Three rounds: two seeds, four, all. */
  @Override
  int seedsByDefault() {
    return 4 * Halving.SEEDS_FIRST;
  }

  @Override
  public Integer call() throws IOException {
    Halving.requireRounds(rule());
    double share = SeedCount.share(keep, "--keep");
    Figure least = minimise.figure();
    Grid grid = vary.grid();
    List<Grid.Point> points = grid.points(scenario());
    return run(
        points,
        points.size(),
        minimise.name(),
        (runs, sized) -> runs.halved(grid.keys(), sized, share, least));
  }
}
