package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FaultSpec.Kind;
import io.tierwise.simulator.scenario.FaultSpec.Target;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several faults at a time: what one breaks, another one finds broken. */
class FaultsTest {
  private static final List<Target> TARGETS =
      List.of(Target.NODE, Target.DEVICE, Target.RACK, Target.LINK);
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final ClusterSpec CLUSTER = Scenarios.hats(1.25e9);
  private static final WorkloadSpec READS = new Dfsio(60, 2_000_000_000L, false, true);
  private static final WorkloadSpec SORTS =
      new Applications(
          new Arrival.Together(),
          List.of(new Share("lsn/teragen", 2, 0.02), new Share("lsn/terasort", 3, 0.02)));

  static IntStream chances() {
    return IntStream.range(0, 8);
  }

  static IntStream moreChances() {
    return IntStream.range(8, 16);
  }

  @ParameterizedTest
  @MethodSource("chances")
  void anyFaultsLeaveEachTaskItsSlotAndEachByteItsPlace(int seed) throws Exception {
    Random random = new Random(seed);
    List<FaultSpec> faults = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      faults.add(fault(random));
    }
    WorkloadSpec workload = seed % 3 == 0 ? READS : SORTS;
    RunResult result =
        Simulation.of(scenario(workload, faults, 1 + random.nextInt(3), seed % 2 == 0))
            .checkBetween(0, 100_000)
            .run(Progress.NONE);

    assertThat(result.complete()).isTrue();
    assertThat(result.jobs().finished() + result.jobs().failed()).isEqualTo(seed % 3 == 0 ? 1 : 5);
  }

  /** Long: make test has as many other seeds. */
  @Tag("long")
  @ParameterizedTest
  @MethodSource("moreChances")
  void soDoMoreOfThem(int seed) throws Exception {
    anyFaultsLeaveEachTaskItsSlotAndEachByteItsPlace(seed);
  }

  @Test
  void aNodeIsBackWhenTheLastOfItsFaultsIsOver() throws Exception {
    FaultSpec rack = new FaultSpec(5, Target.RACK, "rack-0", Kind.FAIL, 0, NEVER);
    FaultSpec node = new FaultSpec(8, Target.NODE, "node-3", Kind.FAIL, 0, 12);

    assertThat(run(SORTS, rack, node).makespanSeconds())
        .isEqualTo(run(SORTS, rack).makespanSeconds());
  }

  @Test
  void aLinkIsFastWhenTheLastOfItsFaultsIsOver() throws Exception {
    FaultSpec slow = new FaultSpec(0, Target.LINK, "node-0", Kind.SLOW, 0.001, 500);
    FaultSpec slower = new FaultSpec(1, Target.LINK, "node-0", Kind.SLOW, 0.5, 2);
    double once = run(SORTS, slow).makespanSeconds();

    assertThat(once).isGreaterThan(1.05 * run(SORTS).makespanSeconds());
    assertThat(run(SORTS, slow, slower).makespanSeconds()).isGreaterThan(0.99 * once);
  }

  @Test
  void aNodeThatWasBackIsDeclaredDeadAnewAfterItsLastLoss() throws Exception {
    WorkloadSpec jobs = everySeconds(350, 3);
    FaultSpec first = new FaultSpec(20, Target.NODE, "node-0", Kind.FAIL, 0, 100);
    FaultSpec again = new FaultSpec(200, Target.NODE, "node-0", Kind.FAIL, 0, NEVER);
    RunResult result = run(jobs, first, again);

    assertThat(result.makespanSeconds()).isBetween(700.0, 800.0);
    assertThat(result.faults().repairedBytes()).isZero();
    assertThat(run(everySeconds(350, 4), first, again).faults().repairedBytes()).isPositive();
  }

  /** Both replicas of all blocks are on the SSDs of the first two nodes. */
  @Test
  void noCopyIsTakenFromANodeThatIsDown() throws Exception {
    VolumeGroup ssd = Scenarios.volume(Scenarios.PCIE, 500_000_000_000L, true);
    VolumeGroup disk = Scenarios.volume(Scenarios.DISK, 500_000_000_000L, true);
    ClusterSpec cluster =
        rack(
            new NodeGroup(Scenarios.node("ssd", 1e9, List.of(ssd)), 2),
            new NodeGroup(Scenarios.node("disk", 1e9, List.of(disk)), 2));
    FaultSpec device = new FaultSpec(21, Target.DEVICE, "node-1/0", Kind.FAIL, 0, NEVER);
    FaultSpec forGood = new FaultSpec(20, Target.NODE, "node-0", Kind.FAIL, 0, NEVER);
    FaultSpec forAMinute = new FaultSpec(20, Target.NODE, "node-0", Kind.FAIL, 0, 80);

    assertThat(runOn(cluster, forGood, device).faults().repairedBytes()).isZero();
    assertThat(runOn(cluster, forAMinute, device).faults().repairedBytes()).isPositive();
  }

  private static RunResult runOn(ClusterSpec cluster, FaultSpec... faults) throws Exception {
    Scenario plain =
        Scenarios.of(
            cluster, "layout:2 x pcie", "network-aware", everySeconds(100, 3), List.of(faults));
    return Simulation.of(Scenarios.with(plain, 2, plain.model()))
        .checkBetween(0, 1000)
        .run(Progress.NONE);
  }

  @Test
  void aDeviceThatHoldsNoDataCanBeMended() throws Exception {
    VolumeGroup disk = Scenarios.volume(Scenarios.DISK, 500_000_000_000L, false);
    VolumeGroup scratch =
        new VolumeGroup(Scenarios.device("scratch", 3e8, 2e8), 1, 100_000_000_000L, false, true);
    ClusterSpec cluster =
        rack(new NodeGroup(Scenarios.node("both", 1e9, List.of(disk, scratch)), 4));
    FaultSpec device = new FaultSpec(1, Target.DEVICE, "node-1/1", Kind.FAIL, 0, 2);
    Scenario scenario =
        Scenarios.of(cluster, "network-aware", "network-aware", SORTS, List.of(device));

    assertThat(Simulation.of(scenario).run(Progress.NONE).jobs().finished()).isEqualTo(5);
  }

  /** Reducers that fetched all there was go on together, and the first one ends them all. */
  @Test
  void aJobWithoutRoomFailsOnceWhenItsReducersGoOnTogether(@TempDir Path folder) throws Exception {
    Path trace = folder.resolve("trace.json");
    Files.writeString(
        trace,
        """
        {"jobID": "job_1", "jobName": "a", "submitTime": 1000, "totalMaps": 80, "totalReduces": 6,
         "mapTasks": [{"attempts": [{"result": "SUCCESS", "mapOutputBytes": 3}]}],
         "reduceTasks": [{"attempts": [{"result": "SUCCESS", "hdfsBytesWritten": 100000000,
           "reduceShuffleBytes": 3}]}]}
        """);
    VolumeGroup tiny = Scenarios.volume(Scenarios.DISK, 1000, true);
    Scenario scenario =
        Scenarios.of(
            rack(new NodeGroup(Scenarios.node("tiny", 1e9, List.of(tiny)), 3)),
            "network-aware",
            "network-aware",
            new WorkloadSpec.Trace("rumen", trace, 0, 1, 1, false));
    RunResult result = Simulation.of(scenario).checkBetween(0, 1000).run(Progress.NONE);

    assertThat(result.jobs().failed()).isEqualTo(1);
  }

  private static ClusterSpec rack(NodeGroup... nodes) {
    return new ClusterSpec(
        List.of(new Rack("rack-0", "region", Double.POSITIVE_INFINITY, List.of(nodes))),
        Double.POSITIVE_INFINITY,
        0.0001);
  }

  private static WorkloadSpec everySeconds(double think, int count) {
    return new Applications(
        new Arrival.ClosedLoop(1, think), List.of(new Share("lsn/grep", count, 0.05)));
  }

  private static RunResult run(WorkloadSpec workload, FaultSpec... faults) throws Exception {
    return Simulation.of(Scenarios.of(CLUSTER, "hybrid", "hybrid", workload, List.of(faults)))
        .run(Progress.NONE);
  }

  private static FaultSpec fault(Random random) {
    Target target = TARGETS.get(random.nextInt(TARGETS.size()));
    String node = "node-" + random.nextInt(27);
    String name =
        switch (target) {
          case RACK -> "rack-" + random.nextInt(3);
          case DEVICE -> node + "/0";
          default -> node;
        };
    double at = random.nextInt(25);
    Kind kind = random.nextInt(4) == 0 ? Kind.SLOW : Kind.FAIL;
    return new FaultSpec(
        at, target, name, kind, 0.1, at + (random.nextBoolean() ? 5 : 700) + random.nextInt(20));
  }

  private static Scenario scenario(
      WorkloadSpec workload, List<FaultSpec> faults, int replication, boolean speculative) {
    Scenario plain = Scenarios.withStragglers(CLUSTER, workload, speculative, 7);
    return Scenarios.with(
        new Scenario(
            plain.name(),
            plain.seed(),
            plain.cluster(),
            plain.tiers(),
            plain.policies(),
            plain.model(),
            plain.workload(),
            faults),
        replication,
        plain.model());
  }
}
