package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.core.view.ReadView;
import io.tierwise.policies.access.AccessReason;
import io.tierwise.policies.access.AccessRequest;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.access.RepeatingAccess;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlantedPlacement;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Policies that answer what no cluster would do: the run ends and names them, as a NameNode leaves
 * such an answer alone.
 */
class BrokenPromisesTest {
  private static final String SMALL =
      """
      cluster: {racks: [{count: 2, nodes: [{kind: disk-node, count: 2}]}]}
      policies: {replication: 2}
      workload: {applications: {jobs: [{application: lsn/grep, scale: 0.05}]}}
      """;

  private final Scenario scenario = ScenarioFiles.parse(SMALL, "small").scenario();

  /** Places well; the first one of too many goes twice. */
  private record Dropping(PlacementPolicy policy) implements PlacementPolicy {
    @Override
    public String name() {
      return "planted";
    }

    @Override
    public Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
      return policy.place(request, view, random);
    }

    @Override
    public int[] chooseExcess(int[] of, FileView file, int replicaCount, ClusterView view) {
      return new int[] {0, 0};
    }
  }

  private void assertEnds(Scenario of, Decisions decisions, String why) {
    assertThatThrownBy(() -> Simulation.of(of, decisions).run(Progress.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(why);
  }

  private void assertEnds(PlantedPlacement planted, String why) {
    Decisions known = Decisions.of(scenario);
    assertEnds(scenario, new Decisions(planted, known.access(), Map.of()), "planted " + why);
  }

  @Test
  void aPlacementThatNoClusterWouldMakeEndsTheRun() {
    assertEnds(PlantedPlacement.SILENT, "gave no answer");
    assertEnds(PlantedPlacement.of(0, 0, 0), "put two replicas on one node");
    assertEnds(PlantedPlacement.of(0, -1), "chose a volume that is not there");
    // Four nodes have a disk each.
    assertEnds(PlantedPlacement.of(0, 4), "chose a volume that is not there");
    assertEnds(PlantedPlacement.of(0, 0, 1, 2), "gave more volumes than were wanted");
    Scenario full =
        ScenarioFiles.parse(
                """
                nodes:
                  small: {based-on: disk-node, volumes: [{device: hdd, capacity: 200 MB}]}
                """
                    + SMALL.replace("disk-node", "small"),
                "full")
            .with("policies.replication=1", "--set")
            .scenario();
    PlantedPlacement first = PlantedPlacement.of(0, 0);
    assertEnds(
        full,
        new Decisions(first, Decisions.of(full).access(), Map.of()),
        "planted chose a volume without room for the block");
  }

  @Test
  void aPolicyThatDropsOtherThanWhatIsTooMuchEndsTheRun() {
    // The node is given up after ten minutes, and its replicas are copied, before it comes back.
    FaultSpec back = new FaultSpec(20, Target.NODE, "node-0", Kind.FAIL, 0, 700);
    Scenario faulty =
        Scenarios.of(
            Scenarios.hats(1.25e9), "hybrid", "hybrid", Scenarios.FEW_GREPS, List.of(back));
    Decisions known = Decisions.of(faulty);
    assertEnds(
        faulty,
        new Decisions(new Dropping(known.placement()), known.access(), Map.of()),
        "planted dropped other than the replicas that are too many");
  }

  private void assertEnds(AccessStrategy planted, String why) {
    Decisions known = Decisions.of(scenario);
    assertEnds(scenario, new Decisions(known.placement(), planted, Map.of()), why);
  }

  @Test
  void anOrderThatLosesReplicasEndsTheRun() {
    assertEnds(new RepeatingAccess(), "repeating gave no permutation of 2 replicas");
  }

  /** Orders well, and does not say why. */
  private record Unreasoned(AccessStrategy strategy) implements AccessStrategy {
    @Override
    public String name() {
      return "planted";
    }

    @Override
    public AccessReason order(
        AccessRequest request, ReadView view, RandomGenerator random, int[] order) {
      strategy.order(request, view, random, order);
      return null;
    }
  }

  @Test
  void anOrderWithoutAReasonEndsTheRun() {
    assertEnds(
        new Unreasoned(Decisions.of(scenario).access()), "planted gave no reason for its order");
  }
}
