package io.tierwise.cli.simulate;

import io.tierwise.experiments.sweep.Grid;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The keys of a scenario that vary, and their values. */
final class VaryOption {
  @Option(
      names = "--vary",
      required = true,
      paramLabel = "KEY=VALUES",
      description = {
        "A key and its values: a,b,c or from..to..step, with a unit if it needs one (1..4 Gbps), or"
            + " a text with braces: policies.placement=zone-ratio:{0..1..0.25}. May be given several"
            + " times."
      })
  private List<String> vary = new ArrayList<>();

  Grid grid() {
    return Grid.parse(vary, "--vary");
  }
}
