package io.tierwise.simulator.movement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.WriteBuffers;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.measure.Meters;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.Repair;
import io.tierwise.simulator.storage.StoredFile;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A cluster without jobs: sixteen workers with disks and SSDs, and a secondary store. */
final class TwoStores {
  private static final int REPLICATION = 3;
  private static final int SLOTS = 17;
  private static final long BLOCK_BYTES = 64_000_000;

  final Engine engine = new Engine();
  final Namespace namespace = new Namespace(REPLICATION, SLOTS, BLOCK_BYTES);
  final VirtualCluster cluster;
  final BlockPlacer placer;
  final SecondaryStore store;
  final ReplicaChanges changes;

  /** The secondary store is two servers of that capacity. */
  TwoStores(String serverCapacity) {
    Scenario scenario =
        ScenarioFiles.parse(
                """
                nodes:
                  worker:
                    volumes:
                      - {device: hdd, capacity: 500 GB}
                      - {device: nvme-p3700, capacity: 100 GB, temporary: false}
                  server:
                    map-slots: 0
                    reduce-slots: 0
                    volumes: [{device: sata-ssd, capacity: %s, temporary: false}]
                cluster:
                  racks:
                    - {count: 2, nodes: [{kind: worker, count: 8}]}
                    - {nodes: [{kind: server, count: 2}]}
                tiers:
                  - {name: primary, device: hdd}
                  - {name: nas, device: sata-ssd}
                  - {name: fast, device: nvme-p3700}
                workload: {dfsio: {tasks: 1, file: 1 MB}}
                """
                    .formatted(serverCapacity),
                "two stores")
            .scenario();
    Transfers transfers = new Transfers(engine);
    cluster =
        new VirtualCluster(scenario.cluster(), ScenarioTiers.table(scenario), transfers.network());
    RandomStreams streams = new RandomStreams(1);
    placer =
        new BlockPlacer(
            cluster,
            namespace,
            policy("network-aware:tiers=primary"),
            streams.stream("placement", 0),
            false);
    Paths paths = new Paths(cluster);
    WriteBuffers buffers = new WriteBuffers(engine, cluster, transfers, paths, false);
    Repair repair =
        new Repair(
            cluster,
            transfers,
            paths,
            buffers,
            namespace,
            placer,
            new Meters(cluster),
            streams.stream("repair", 0));
    store = new SecondaryStore(cluster, "nas");
    changes = new ReplicaChanges(namespace, placer, repair, store);
    repair.tellCopied(changes::copied);
  }

  PlacementPolicy policy(String text) {
    return PlacementPolicies.parse(text, cluster.view().tiers());
  }

  /**
   * A file of one part, with its usual replicas; under the cluster's policy when its own is null.
   */
  StoredFile file(String path, long bytes, PlacementPolicy own) {
    StoredFile file = namespace.create(path, 1, bytes);
    file.setPolicy(own);
    for (int index = 0; index < file.blockCount(); index++) {
      assertThat(placer.place(file, index, index)).isEqualTo(REPLICATION);
    }
    return file;
  }

  /** Lets copies go on until it holds. */
  void runUntil(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      assertThat(engine.step()).as("there is something left to do").isTrue();
    }
  }

  /** Lets all copies come to their end. */
  void run() {
    while (engine.step()) {
      // Each step does something.
    }
  }

  /** Tiers of a block's whole replicas, in order of their names. */
  List<String> tiers(int block) {
    return Arrays.stream(namespace.wholeReplicas(block))
        .map(volume -> cluster.view().tierOfVolume(cluster.volume(volume).viewVolume()))
        .mapToObj(tier -> cluster.view().tiers().tiers().get(tier).name())
        .sorted()
        .toList();
  }
}
