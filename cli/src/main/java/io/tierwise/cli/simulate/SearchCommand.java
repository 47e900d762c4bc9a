package io.tierwise.cli.simulate;

import io.tierwise.core.message.OperatorException;
import io.tierwise.experiments.sweep.Grid;
import io.tierwise.experiments.sweep.Variation;
import io.tierwise.simulator.report.Figure;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tierwise search}. */
@Command(
    name = "search",
    description = {
      "Looks for the value of one key of a scenario at which a figure is least.",
      "Searches by golden section: it finds the least of a figure that first falls, then rises; of"
          + " another one, a value that its neighbours do not beat."
    },
    footer = "  tierwise search mine.yaml --vary nodes.new.map-slots=2..32")
public final class SearchCommand extends SweepAction {
  /** Ends and two points between them. */
  private static final int POINTS_MIN = 4;

  @Option(
      names = "--vary",
      required = true,
      paramLabel = "KEY=FROM..TO..STEP",
      description = "The key and its range, with a unit if it needs one (1..40 Gbps).")
  private String vary;

  @Mixin private MinimiseOption minimise;

  @Option(
      names = "--evaluations",
      paramLabel = "COUNT",
      description = "Points to try at most (default: ${DEFAULT-VALUE}).",
      defaultValue = "24")
  private int evaluations;

  @Override
  public Integer call() throws IOException {
    Figure figure = minimise.figure();
    Variation range = Variation.parse(vary, "--vary");
    if (range.values().size() < POINTS_MIN || evaluations < POINTS_MIN) {
      throw OperatorException.badInput(
          "--vary "
              + vary
              + ": needs four points or more, as KEY=FROM..TO..STEP, and --evaluations 4 or more");
    }
    List<Grid.Point> points = new Grid(List.of(range)).points(scenario());
    // One point at a time: no more runs at once than it has seeds.
    return run(
        points,
        1,
        minimise.name(),
        (runs, sized) -> runs.searched(range, sized, figure, evaluations));
  }

  @Override
  String plan(int points) {
    return "would try at most " + Math.min(evaluations, points) + " of these " + points + " points";
  }
}
