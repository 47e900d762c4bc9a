package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.StreamCosts;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many faults on clusters of few nodes, where all replicas are often gone, with little room, slow
 * answers, one replica or none to spare, files that make room for others.
 */
class OddFaultsTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final List<Target> TARGETS =
      List.of(Target.NODE, Target.DEVICE, Target.RACK, Target.LINK);
  private static final List<String> PLACEMENTS =
      List.of("hybrid", "network-aware", "tier-aware", "random");
  private static final List<WorkloadSpec> WORKLOADS =
      List.of(
          new Dfsio(10, 300_000_000L, true, true),
          new Dfsio(6, 700_000_000L, false, true),
          new Applications(
              new Arrival.Together(),
              List.of(new Share("lsn/teragen", 2, 0.1), new Share("lsn/terasort", 3, 0.1))),
          new Applications(
              new Arrival.ClosedLoop(2, 20),
              List.of(
                  new Share("lsn/teragen", 2, 0.1),
                  new Share("lsn/grep", 3, 0.1),
                  new Share("lsn/terasort", 2, 0.1))));
  private static final List<Long> JOBS = List.of(2L, 1L, 5L, 7L);

  static IntStream chances() {
    return IntStream.range(0, 120);
  }

  @ParameterizedTest
  @MethodSource("chances")
  void eachJobEndsAndNothingIsLostOnTheWay(int seed) throws Exception {
    RandomGenerator random = new SplittableRandom(seed);
    int workload = random.nextInt(WORKLOADS.size());
    RunResult result =
        Simulation.of(scenario(random, WORKLOADS.get(workload)))
            .checkBetween(0, 1e6)
            .run(Progress.NONE);

    assertThat(result.complete()).isTrue();
    assertThat(result.jobs().finished() + result.jobs().failed()).isEqualTo(JOBS.get(workload));
  }

  private static Scenario scenario(RandomGenerator random, WorkloadSpec workload) {
    int racks = 1 + random.nextInt(3);
    int nodesOfRack = 2 + random.nextInt(4);
    ClusterSpec cluster = cluster(random, racks, nodesOfRack);
    List<FaultSpec> faults = new ArrayList<>();
    double horizonSeconds = 5 + random.nextInt(60);
    for (int i = 1 + random.nextInt(9); i > 0; i--) {
      faults.add(fault(random, racks, nodesOfRack, horizonSeconds));
    }
    String placement = PLACEMENTS.get(random.nextInt(PLACEMENTS.size()));
    String access = random.nextBoolean() ? "hybrid" : "dld";
    int replication = 1 + random.nextInt(Math.min(3, racks * nodesOfRack));
    return Scenarios.with(
        Scenarios.of(cluster, placement, access, workload, faults), replication, model(random));
  }

  private static ModelSpec model(RandomGenerator random) {
    int shuffleSourcesMax = random.nextBoolean() ? 3 : 32;
    boolean speculative = random.nextBoolean();
    boolean evictWhenFull = random.nextInt(3) > 0;
    boolean dropCaches = random.nextBoolean();
    boolean writeThrough = random.nextBoolean();
    boolean series = random.nextBoolean();
    double warmInputShare = random.nextBoolean() ? 0 : 0.3;
    double heartbeatSeconds = random.nextInt(3) == 0 ? 3 : 0;
    StreamCosts streams = random.nextInt(3) == 0 ? new StreamCosts(6, 8) : StreamCosts.NONE;
    boolean spillsMeanwhile = random.nextBoolean();
    long mergeReadBytes = random.nextBoolean() ? 4L << 20 : Long.MAX_VALUE;
    return new ModelSpec(
        1,
        2,
        100L << 20,
        10,
        92L << 20,
        0,
        1L << 28,
        20,
        shuffleSourcesMax,
        0.05,
        3,
        speculative,
        40,
        10,
        0.1,
        5,
        0,
        evictWhenFull,
        dropCaches,
        writeThrough,
        series,
        warmInputShare,
        heartbeatSeconds,
        streams,
        spillsMeanwhile,
        mergeReadBytes);
  }

  /** Each rack has a node with an SSD, the others have disks. */
  private static ClusterSpec cluster(RandomGenerator random, int racks, int nodesOfRack) {
    long bytes = random.nextInt(3) == 0 ? 3_000_000_000L : 500_000_000_000L;
    boolean temporary = random.nextInt(6) > 0;
    VolumeGroup disks =
        new VolumeGroup(Scenarios.DISK, 1 + random.nextInt(2), bytes, true, temporary);
    VolumeGroup ssd = Scenarios.volume(Scenarios.PCIE, bytes / 2, false);
    long bufferBytes = random.nextBoolean() ? 1L << 30 : 100L << 20;
    NodeSpec plain = node("plain", 1.25e8, bufferBytes, List.of(disks));
    NodeSpec fast = node("fast", 1.25e9, 256L << 20, List.of(ssd, disks));
    List<Rack> all = new ArrayList<>();
    for (int rack = 0; rack < racks; rack++) {
      double uplink = random.nextBoolean() ? NEVER : 5e8;
      List<NodeGroup> nodes =
          List.of(new NodeGroup(fast, 1), new NodeGroup(plain, nodesOfRack - 1));
      all.add(new Rack("rack-" + rack, "region", uplink, nodes));
    }
    return new ClusterSpec(all, NEVER, random.nextBoolean() ? 0.0001 : 0.3);
  }

  private static NodeSpec node(
      String name, double linkBytesPerSecond, long bufferBytes, List<VolumeGroup> volumes) {
    return new NodeSpec(
        name,
        4,
        2.8e9,
        1L << 30,
        bufferBytes,
        5e9,
        3,
        2,
        linkBytesPerSecond,
        100,
        200,
        1000,
        1,
        volumes);
  }

  private static FaultSpec fault(
      RandomGenerator random, int racks, int nodesOfRack, double horizonSeconds) {
    Target target = TARGETS.get(random.nextInt(TARGETS.size()));
    String node = "node-" + random.nextInt(racks * nodesOfRack);
    String name =
        switch (target) {
          case RACK -> "rack-" + random.nextInt(racks);
          case DEVICE -> node + "/0";
          default -> node;
        };
    double at = random.nextDouble() * horizonSeconds;
    double until = at + (random.nextInt(3) == 0 ? 700 : 0.5 + random.nextInt(20));
    boolean slow = target != Target.RACK && random.nextInt(5) == 0;
    return new FaultSpec(
        random.nextBoolean() ? at : Math.rint(at),
        target,
        name,
        slow ? Kind.SLOW : Kind.FAIL,
        slow ? 0.1 : 0,
        random.nextInt(8) == 0 ? NEVER : until);
  }
}
