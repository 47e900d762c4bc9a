package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.storage.Namespace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Copies of lost replicas, and replicas that come back: the policy is told what a NameNode would
 * tell it.
 */
class RepairsLikeNameNodesTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;

  /** Notes each question that is no new block. */
  private static final class Asked implements PlacementPolicy {
    private final PlacementPolicy policy;
    private final List<PlacementRequest> copies = new ArrayList<>();
    private final List<int[]> thinnedOut = new ArrayList<>();
    private final List<FileView> thinnedFiles = new ArrayList<>();

    Asked(PlacementPolicy policy) {
      this.policy = policy;
    }

    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
      if (request.existingVolumes().length > 0) {
        copies.add(request);
      }
      return policy.place(request, view, random);
    }

    @Override
    public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
      thinnedOut.add(volumes);
      thinnedFiles.add(file);
      assertThat(replicaCount).isEqualTo(volumes.length - 1);
      return policy.chooseExcess(volumes, file, replicaCount, view);
    }
  }

  private static Scenario scenario(FaultSpec... faults) {
    return Scenarios.of(
        Scenarios.hats(1.25e9), "hybrid", "hybrid", Scenarios.FEW_GREPS, List.of(faults));
  }

  private final Asked asked = new Asked(Decisions.of(scenario()).placement());

  private Simulation run(FaultSpec... faults) throws Exception {
    Scenario faulty = scenario(faults);
    Decisions decisions = new Decisions(asked, Decisions.of(faulty).access(), java.util.Map.of());
    Simulation simulation = Simulation.of(faulty, decisions).checkBetween(0, 100_000);
    assertThat(simulation.run(Progress.NONE).complete()).isTrue();
    return simulation;
  }

  private static FaultSpec fails(String node, double until) {
    return new FaultSpec(20, Target.NODE, node, Kind.FAIL, 0, until);
  }

  @Test
  void aCopyIsPlacedWithTheSourceForAWriterAndWithoutTheIndexOfTheBlock() throws Exception {
    ClusterView view = run(fails("node-0", NEVER)).context().cluster().view();

    assertThat(asked.copies).isNotEmpty();
    for (PlacementRequest request : asked.copies) {
      FileView file = request.file();
      assertThat(file).isEqualTo(FileView.ofCopy(file.fileId(), 3, "", request.blockBytes()));
      assertThat(request.existingVolumes()).hasSize(2);
      assertThat(nodes(request.existingVolumes(), view)).contains(request.writerNode());
      assertThat(request.writerRack()).isEqualTo(view.rackOfNode(request.writerNode()));
      assertThat(request.avoidedNode()).isEqualTo(request.writerNode());
      assertThat(request.pledges()).isEmpty();
    }
  }

  @Test
  void aCopyOnItsWayIsAPledgeOnItsNode() throws Exception {
    FaultSpec sooner = fails("node-0", NEVER);
    // Its nodes are given up while the copies for the first node are on their way.
    FaultSpec later = new FaultSpec(20.1, Target.RACK, "rack-1", Kind.FAIL, 0, NEVER);
    ClusterView view = run(sooner, later).context().cluster().view();

    List<PlacementRequest> pledged =
        asked.copies.stream().filter(request -> !request.pledges().isEmpty()).toList();
    assertThat(pledged).isNotEmpty();
    for (PlacementRequest request : pledged) {
      int[] volumes = request.pledges().get(0).volumes();
      assertThat(request.existingVolumes()).hasSize(1);
      assertThat(request.pledges().get(0).coming()).isTrue();
      assertThat(nodes(volumes, view)).containsOnly(view.nodeOfVolume(volumes[0]));
      assertThat(request.excluded().contains(view.nodeOfVolume(volumes[0]))).isTrue();
    }
  }

  @Test
  void aNodeThatComesBackBringsItsReplicasAndThePolicySaysWhichAreTooMany() throws Exception {
    Simulation simulation = run(fails("node-0", 700));

    assertThat(asked.copies).as("blocks that were copied").isNotEmpty();
    assertThat(asked.thinnedOut).hasSameSizeAs(asked.copies);
    assertThat(asked.thinnedOut).allMatch(volumes -> volumes.length == 4);
    assertThat(asked.thinnedFiles).allMatch(file -> file.dataSetBlockIndex() == 0);
    assertThat(tiersOfBlocks(simulation)).isNotEmpty().containsOnly("[0, 1, 2]");
  }

  @Test
  void aNodeThatIsBackBeforeItIsGivenUpCostsNoCopy() throws Exception {
    run(fails("node-0", 600));

    assertThat(asked.copies).isEmpty();
    assertThat(asked.thinnedOut).isEmpty();
  }

  private static List<Integer> nodes(int[] volumes, ClusterView view) {
    return Arrays.stream(volumes).map(view::nodeOfVolume).boxed().toList();
  }

  private static List<String> tiersOfBlocks(Simulation simulation) {
    Namespace namespace = simulation.context().namespace();
    List<String> tiers = new ArrayList<>();
    for (int block = 0; block < namespace.blockCount(); block++) {
      int[] ofBlock = new int[namespace.replicaCount(block)];
      for (int i = 0; i < ofBlock.length; i++) {
        int volume = namespace.replica(block, i);
        ofBlock[i] =
            simulation
                .context()
                .cluster()
                .view()
                .tierOfVolume(simulation.context().cluster().volume(volume).viewVolume());
      }
      Arrays.sort(ofBlock);
      tiers.add(Arrays.toString(ofBlock));
    }
    return tiers;
  }
}
