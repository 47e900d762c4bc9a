package io.tierwise.cli.capture;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.placement.PlacementDecision;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.ReaderMemory;
import io.tierwise.simulator.storage.ReplicaReads;
import io.tierwise.simulator.storage.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The simulator's own classes between a scenario and a policy, asked one question at a time. */
final class SimulatedHost {
  private final VirtualCluster cluster;
  private final long blockBytes;

  SimulatedHost(Scenario scenario, long blockBytes) {
    this.cluster =
        new VirtualCluster(
            scenario.cluster(),
            ScenarioTiers.table(scenario),
            new Transfers(new Engine()).network());
    this.blockBytes = blockBytes;
  }

  VirtualCluster cluster() {
    return cluster;
  }

  /** A file as the simulator placed it, and each question that it asked of the policy. */
  record Placed(Namespace namespace, StoredFile file, List<PlacementRequest> requests) {}

  /**
   * Places all blocks of a new file.
   *
   * @param fileId that policies are to see: files before it are made, without blocks
   */
  Placed place(
      String policy,
      long fileId,
      int blocks,
      int replication,
      int writerNode,
      RandomGenerator random) {
    Namespace namespace = new Namespace(replication, blockBytes);
    for (long id = 1; id < fileId; id++) {
      namespace.create("", 0, 0);
    }
    StoredFile file = namespace.create("/file", 1, blocks * blockBytes);
    Asked asked = new Asked(PlacementPolicies.parse(policy, cluster.view().tiers()));
    BlockPlacer placer = new BlockPlacer(cluster, namespace, asked, random, false);
    for (int index = 0; index < blocks; index++) {
      placer.place(file, index, writerNode);
    }
    return new Placed(namespace, file, asked.requests);
  }

  private record Asked(PlacementPolicy policy, List<PlacementRequest> requests)
      implements PlacementPolicy {
    Asked(PlacementPolicy policy) {
      this(policy, new ArrayList<>());
    }

    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public PlacementDecision place(
        PlacementRequest request, ClusterView view, RandomGenerator random) {
      requests.add(request);
      return policy.place(request, view, random);
    }

    @Override
    public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
      return policy.chooseExcess(volumes, file, replicaCount, view);
    }
  }

  /** Asks the strategy about one block, with the replicas in the order that {@code ties} gives. */
  void read(
      Placed placed, int index, int readerNode, long task, AccessPick pick, RandomGenerator ties) {
    new ReplicaReads(cluster, placed.namespace(), ties)
        .choose(placed.file(), index, readerNode, task, pick, new ReaderMemory(pick.strategy()));
  }

  /** The nodes of a block's replicas, by slot. */
  List<Integer> nodes(Placed placed, int index) {
    List<Integer> nodes = new ArrayList<>();
    int block = placed.file().block(index);
    for (int i = 0; i < placed.namespace().replicaCount(block); i++) {
      nodes.add(cluster.volume(placed.namespace().replica(block, i)).node());
    }
    return nodes;
  }
}
