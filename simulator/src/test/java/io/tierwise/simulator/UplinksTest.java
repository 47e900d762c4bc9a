package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UplinksTest {
  private static final double GIGABIT = 1.25e8;
  private static final double NINE_NODES = 9 * GIGABIT;
  private static final WorkloadSpec DFSIO = new Dfsio(27, 1L << 30, true, true);

  @Test
  void anUplinkThatItsNodesCannotFillIsNoResource() {
    assertThat(uplinkOf(NINE_NODES, Set.of())).containsOnly(VirtualCluster.UNLIMITED);
    assertThat(uplinkOf(0.99 * NINE_NODES, Set.of())).doesNotContain(VirtualCluster.UNLIMITED);
  }

  @Test
  void anUplinkThatAFaultSlowsIsOneHoweverWide() {
    assertThat(uplinkOf(10 * NINE_NODES, Set.of("rack-0")))
        .doesNotContain(VirtualCluster.UNLIMITED);
  }

  @Test
  void leavingItOutChangesNoEvent() throws Exception {
    // A fault that halves what is ten times too wide keeps the uplinks in all paths.
    List<FaultSpec> faults = List.of(slowUplink("rack-0", 0.5), slowUplink("rack-1", 0.5));
    RunResult leftOut = run(10 * NINE_NODES, List.of());
    RunResult kept = run(10 * NINE_NODES, faults);

    assertThat(kept.makespanSeconds()).isEqualTo(leftOut.makespanSeconds());
    assertThat(kept.network().crossRackBytes()).isEqualTo(leftOut.network().crossRackBytes());
  }

  @Test
  void aWideUplinkThatAFaultNarrowsSlowsTheRun() throws Exception {
    double healthy = run(NINE_NODES, List.of()).makespanSeconds();

    assertThat(run(NINE_NODES, List.of(slowUplink("rack-0", 0.01))).makespanSeconds())
        .isGreaterThan(1.5 * healthy);
  }

  private static FaultSpec slowUplink(String rack, double factor) {
    return new FaultSpec(0, Target.LINK, rack, Kind.SLOW, factor, Double.POSITIVE_INFINITY);
  }

  private static RunResult run(double uplink, List<FaultSpec> faults) throws Exception {
    return Simulation.of(Scenarios.of(cluster(uplink), "hybrid", "hybrid", DFSIO, faults))
        .run(Progress.NONE);
  }

  private static int[] uplinkOf(double uplink, Set<String> slowed) {
    VirtualCluster cluster =
        new VirtualCluster(
            cluster(uplink),
            ScenarioTiers.table(Scenarios.of(cluster(uplink), "hybrid", "hybrid", DFSIO)),
            new Transfers(new Engine()).network(),
            slowed);
    return new Paths(cluster).uplinkOf(cluster.rackNamed("rack-0"));
  }

  private static ClusterSpec cluster(double uplink) {
    ClusterSpec hats = Scenarios.hats(GIGABIT);
    List<Rack> racks =
        hats.racks().stream()
            .map(rack -> new Rack(rack.name(), rack.region(), uplink, rack.groups()))
            .toList();
    return new ClusterSpec(racks, hats.regionUplinkBytesPerSecond(), hats.latencySeconds());
  }
}
