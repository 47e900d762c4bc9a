package io.tierwise.cli.simulate;

import io.tierwise.experiments.sweep.SweepResult;
import io.tierwise.simulator.report.Figure;
import picocli.CommandLine.Option;

/** The figure that is to be small. */
final class MinimiseOption {
  @Option(
      names = "--minimise",
      paramLabel = "FIGURE",
      description = "One of results.csv's columns (default: ${DEFAULT-VALUE}).",
      defaultValue = "makespan_seconds")
  private String name;

  String name() {
    return name;
  }

  Figure figure() {
    return SweepResult.figure(name, "--minimise");
  }
}
