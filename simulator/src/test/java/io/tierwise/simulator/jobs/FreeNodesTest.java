package io.tierwise.simulator.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.simulator.cluster.Transfers;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.ScenarioTiers;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.storage.BlockPlacer;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import io.tierwise.simulator.workload.JobSpec;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeNodesTest {
  private static final int DRAWS = 3000;
  private static final long BYTES = 64_000_000;

  private final Engine engine = new Engine();
  private final RandomGenerator random = new RandomStreams(1).stream("tasks", 0);
  private VirtualCluster cluster;

  /** Three racks, each with a tier of its own. */
  @BeforeEach
  void build() {
    Scenario scenario =
        ScenarioFiles.parse(
                """
                nodes:
                  a: {volumes: [{device: nvme-p3700}]}
                  b: {volumes: [{device: sata-ssd, capacity: 100 GB}]}
                  c: {volumes: [{device: hdd, capacity: 100 GB}]}
                cluster:
                  racks:
                    - {nodes: [{kind: a, count: 3}]}
                    - {nodes: [{kind: b, count: 3}]}
                    - {nodes: [{kind: c, count: 3}]}
                tiers:
                  - {name: first, device: nvme-p3700}
                  - {name: second, device: sata-ssd}
                  - {name: third, device: hdd}
                workload: {dfsio: {tasks: 1, file: 1 MB}}
                """,
                "racks")
            .scenario();
    cluster =
        new VirtualCluster(
            scenario.cluster(), ScenarioTiers.table(scenario), new Transfers(engine).network());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 17})
  void noReplicasRackComesFirstHoweverManyReplicasAFileMayGet(int slots) {
    Namespace namespace = new Namespace(3, slots, BYTES);
    FreeNodes nodes = new FreeNodes(context(namespace), new LiveWork(engine, cluster));
    JobRun job = reader(onAllRacks(namespace));

    int[] draws = new int[3];
    for (int i = 0; i < DRAWS; i++) {
      draws[cluster.rackOf(nodes.beside(job, 0))]++;
    }
    // Five standard deviations.
    for (int rack = 0; rack < draws.length; rack++) {
      assertThat(draws[rack]).as("rack " + rack).isBetween(DRAWS / 3 - 130, DRAWS / 3 + 130);
    }
  }

  private StoredFile onAllRacks(Namespace namespace) {
    BlockPlacer placer =
        new BlockPlacer(
            cluster,
            namespace,
            PlacementPolicies.parse(
                "layout:1 x first + 1 x second + 1 x third", cluster.view().tiers()),
            random,
            false);
    StoredFile file = namespace.create("/file", 1, BYTES);
    assertThat(placer.place(file, 0, 0)).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      int node = cluster.volume(namespace.replica(file.block(0), i)).node();
      assertThat(cluster.rackOf(node)).isEqualTo(i);
    }
    return file;
  }

  /** A job with one map, which is not placed by its data. */
  private static JobRun reader(StoredFile file) {
    JobSpec spec =
        new JobSpec("j", "read", 0, file.path(), "", BYTES, BYTES, 0, 0, 1, 0, 0, 0, 0.5, 0, 0);
    return JobRun.ofMapReduce(0, spec, 0, 1, 0, file, null);
  }

  /** A context of that with which nodes are drawn. */
  private TaskContext context(Namespace namespace) {
    return new TaskContext(
        engine, cluster, null, null, null, null, namespace, null, null, null, null, null, null,
        null, null, random);
  }
}
