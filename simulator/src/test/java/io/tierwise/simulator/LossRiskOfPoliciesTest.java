package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.Figure;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same files under different policies: where the replicas stand decides the risk. */
class LossRiskOfPoliciesTest {
  /** A node fails every three years: within a day. */
  private static final double FAILURE_A_DAY = -Math.expm1(-1.0 / (3 * 365));

  private static final int BLOCKS = 60 * 16;

  private static double risk(String placement, FaultSpec... faults) throws Exception {
    Scenario scenario =
        Scenarios.of(
            Scenarios.hats(1.25e9),
            placement,
            "network-aware",
            new Dfsio(60, 1_000_000_000L, true, false),
            List.of(faults));
    RunResult result = Simulation.of(scenario).run(Progress.NONE);
    Figure risk =
        Figure.all(result.tierNames()).stream()
            .filter(figure -> figure.name().equals("loss_risk_a_day"))
            .findFirst()
            .orElseThrow();
    return risk.measure().of(result, scenario);
  }

  /** Three of the 27 nodes have a PCIe SSD: all blocks are on these three. */
  @Test
  void allBlocksOnOneSetOfNodesAreLostWithIt() throws Exception {
    assertThat(risk("layout:3 x pcie"))
        .isCloseTo(Math.pow(FAILURE_A_DAY, 3), withinPercentage(0.1));
  }

  @Test
  void blocksThatAreSpreadAreLostInMoreWays() throws Exception {
    double one = Math.pow(FAILURE_A_DAY, 3);
    double spread = risk("random");

    assertThat(spread)
        .as("nearly each block is on nodes of its own")
        .isGreaterThan(BLOCKS / 2 * one);
    assertThat(spread).isLessThan(BLOCKS * one);
    assertThat(risk("layout:2 x pcie + 1 x disk"))
        .as("three pairs of SSDs, each with the disks of 25 other nodes at most")
        .isLessThan(3 * 25 * one * 1.01)
        .isGreaterThan(10 * one);
  }
}
