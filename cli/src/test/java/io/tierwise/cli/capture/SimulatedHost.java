package io.tierwise.cli.capture;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.access.AccessPick;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.recorded.RecordedDeletion;
import io.tierwise.policies.recorded.RecordedPlacement;
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
import io.tierwise.simulator.storage.StoredReplicas;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

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
    Hosted host = host(policy, fileId, blocks * blockBytes, replication, random);
    for (int index = 0; index < blocks; index++) {
      host.placer.place(host.file, index, writerNode);
    }
    return new Placed(host.namespace, host.file, host.asked.requests);
  }

  /** The host's parts, with a file that has no replicas yet. */
  private record Hosted(Namespace namespace, StoredFile file, Asked asked, BlockPlacer placer) {}

  private Hosted host(
      String policy, long fileId, long bytes, int replication, RandomGenerator random) {
    Namespace namespace = new Namespace(replication, blockBytes);
    for (long id = 1; id < fileId; id++) {
      namespace.create("", 0, 0);
    }
    StoredFile file = namespace.create("/file", 1, bytes);
    Asked asked = new Asked(PlacementPolicies.parse(policy, cluster.view().tiers()));
    return new Hosted(
        namespace, file, asked, new BlockPlacer(cluster, namespace, asked, random, false));
  }

  /** The question about copies of a block, and where they go. */
  record Copied(PlacementRequest request, List<Replica> targets) {}

  /**
   * Places the copies that a block lacks.
   *
   * @param live what a NameNode was asked and saw
   */
  Copied copy(RecordedPlacement live) {
    PlacementRequest request = live.request();
    Hosted host =
        host(
            live.policy(),
            request.file().fileId(),
            request.blockBytes(),
            request.file().replicaCount(),
            new SplittableRandom(live.seed()));
    int block = host.file.block(0);
    int source = ClusterView.NONE;
    for (int existing : request.existingVolumes()) {
      int volume = volumeOf(Replica.of(existing, live.cluster()));
      StoredReplicas.put(host.placer, block, volume, request.blockBytes());
      source = cluster.volume(volume).node() == request.writerNode() ? volume : source;
    }
    int count = host.placer.placeCopies(host.file, 0, source);
    List<Replica> targets = new ArrayList<>();
    for (int i = request.existingVolumes().length; targets.size() < count; i++) {
      int volume = host.namespace.replica(block, i);
      targets.add(Replica.of(cluster.volume(volume).viewVolume(), cluster.view()));
    }
    return new Copied(host.asked.requests.get(0), targets);
  }

  /** The replica that goes when a block has one too many. */
  Replica chooseExcess(RecordedDeletion live) {
    Hosted host = host(live.policy(), live.file().fileId(), blockBytes, 3, null);
    List<Integer> volumes = new ArrayList<>();
    for (int each : live.volumes()) {
      int volume = volumeOf(Replica.of(each, live.cluster()));
      // The NameNode puts the fullest volume last.
      cluster.view().setFreeBytes(cluster.volume(volume).viewVolume(), 1L << (40 - volumes.size()));
      volumes.add(volume);
    }
    int goes = host.placer.chooseExcess(host.file, 0, volumes);
    return Replica.of(cluster.volume(goes).viewVolume(), cluster.view());
  }

  /** The volume that is the same one of the same node here. */
  private int volumeOf(Replica replica) {
    return IntStream.range(0, cluster.view().volumeCount())
        .filter(volume -> Replica.of(volume, cluster.view()).equals(replica))
        .map(cluster::volumeOfView)
        .findFirst()
        .orElseThrow();
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
    public Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
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
    read(
        new ReplicaReads(cluster, placed.namespace(), ties), placed, index, readerNode, task, pick);
  }

  /** Asks the strategy about one block at that moment. */
  void readAt(long nowMillis, Placed placed, int index, int readerNode, AccessStrategy strategy) {
    ReplicaReads reads =
        new ReplicaReads(
            cluster, placed.namespace(), new SplittableRandom(nowMillis), () -> nowMillis);
    read(reads, placed, index, readerNode, -1, new AccessPick(0, false, strategy));
  }

  private static void read(
      ReplicaReads reads, Placed placed, int index, int readerNode, long task, AccessPick pick) {
    reads.choose(placed.file(), index, readerNode, task, pick, new ReaderMemory(pick.strategy()));
  }

  /** The volume of a block's replica on that node. */
  int volumeOn(int node, Placed placed, int index) {
    int slot = nodes(placed, index).indexOf(node);
    return placed.namespace().replica(placed.file().block(index), slot);
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
