package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.report.RunResult;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final double TEN_GIGABIT = 1.25e9;
  private static final WorkloadSpec DFSIO = new Dfsio(27, 1L << 30, true, true);

  @Test
  void printsWhatEachPolicyBrings() throws Exception {
    for (String[] pair :
        new String[][] {
          {"network-aware", "network-aware"},
          {"tier-aware", "tier-aware"},
          {"hybrid", "hybrid"},
          {"random", "random"}
        }) {
      RunResult result =
          Simulation.of(Scenarios.of(Scenarios.hats(TEN_GIGABIT), pair[0], pair[1], DFSIO))
              .run(Progress.NONE);
      System.out.println(result);
      assertThat(result.complete()).isTrue();
    }
  }
}
