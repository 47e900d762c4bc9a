package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import io.tierwise.simulator.scenario.WorkloadSpec.Dfsio;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recovery as in HDFS: pipelines that lose a volume, copies of lost replicas, readers whose source
 * goes. Every write goes to its device at once, so that it is known when it is under way.
 */
class RecoveryTest {
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final long BLOCK = 64L << 20;

  /** A block takes 1.46 s from the third second: two for the job to start, one for the task. */
  private static final double WRITING = 3.7;

  /** A block takes 1.1 s to read: three seconds after the end of the write, at 4.46 s. */
  private static final double READING = 8;

  private static final Dfsio ONE_BLOCK = new Dfsio(1, BLOCK, true, false);
  private static final Dfsio WRITE_AND_READ = new Dfsio(1, BLOCK, true, true);
  private static final Dfsio FORTY_BLOCKS = new Dfsio(1, 40 * BLOCK, true, true);

  @ParameterizedTest
  @CsvSource({"DEVICE, node-0/0", "DEVICE, node-1/0", "NODE, node-1"})
  void aPipelineGoesOnWithTheReplicasThatAreLeft(Target target, String name) throws Exception {
    // Each of the three nodes has a replica, the first one the writer, too.
    FaultSpec fault = fail(WRITING, target, name, NEVER);
    RunResult healthy = run(disks(3), 3, ONE_BLOCK);
    RunResult result = run(disks(3), 3, ONE_BLOCK, fault);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().killedTasks()).isZero();
    assertThat(result.makespanSeconds()).isCloseTo(healthy.makespanSeconds(), within(1e-6));
    assertThat(writtenByDevices(result)).isEqualTo(2 * BLOCK);
    assertThat(replicaBytes(result)).isEqualTo(2 * BLOCK);
    assertThat(result.faults().lostBlocks()).isZero();
    assertThat(result.faults().repairedBytes()).isZero();
  }

  @Test
  void whatAPipelineLostIsCopiedAfterTheWrite() throws Exception {
    FaultSpec fault = fail(WRITING, Target.DEVICE, "node-0/0", NEVER);
    RunResult result = run(disks(5), 3, WRITE_AND_READ, fault);

    assertThat(result.jobs().finished()).isEqualTo(2);
    assertThat(replicaBytes(result)).isEqualTo(2 * BLOCK);
    assertThat(result.faults().repairedBytes()).isEqualTo(BLOCK);
    assertThat(writtenByDevices(result)).isEqualTo(3 * BLOCK);
  }

  @Test
  void aWriteWithoutReplicasLeftMakesItsTaskStartAnew() throws Exception {
    FaultSpec fault = fail(WRITING, Target.DEVICE, "node-0/0", NEVER);
    RunResult result = run(disks(3), 1, WRITE_AND_READ, fault);

    assertThat(result.jobs().finished()).isEqualTo(2);
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(result.faults().lostBlocks()).isZero();
    assertThat(replicaBytes(result)).isEqualTo(BLOCK);
  }

  /** Its first attempt left replicas, one of them on the node that is down. */
  @Test
  void aTaskThatStartsAnewWritesToNodesThatAreUp() throws Exception {
    FaultSpec fault = fail(WRITING, Target.NODE, "node-0", NEVER);
    RunResult result = run(disks(3), 3, ONE_BLOCK, fault);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().killedTasks()).isEqualTo(1);
    assertThat(writtenByDevices(result)).isEqualTo(2 * BLOCK);
    assertThat(replicaBytes(result)).isEqualTo(2 * BLOCK);
  }

  /** Three devices hold everything, and fail before the first copy of it can be whole. */
  @Test
  void whatIsOnlyHalfCopiedIsLostWithItsSources() throws Exception {
    List<FaultSpec> faults = new ArrayList<>();
    for (int node = 3; node < 6; node++) {
      faults.add(fail(0, Target.NODE, "node-" + node, 12));
    }
    // The write ends at 11.8 s, the read begins at 14.8 s, a copy takes 1.5 s.
    for (int node = 0; node < 3; node++) {
      faults.add(fail(12.1 + 0.1 * node, Target.DEVICE, "node-" + node + "/0", NEVER));
    }
    Dfsio sixBlocks = new Dfsio(1, 6 * BLOCK, true, true);
    RunResult result = run(disks(6), 3, sixBlocks, faults.toArray(FaultSpec[]::new));

    assertThat(result.faults().lostBlocks()).isEqualTo(6);
    assertThat(result.faults().repairedBytes()).isZero();
    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().failed()).isEqualTo(1);
  }

  @Test
  void aCopyThatNobodyCanTakeIsMadeWhenADeviceIsBack() throws Exception {
    FaultSpec fault = fail(70, Target.DEVICE, "node-1/0", 75);
    RunResult result = run(disks(3), 3, FORTY_BLOCKS, fault);

    assertThat(result.jobs().finished()).isEqualTo(2);
    assertThat(result.faults().repairedBytes()).isPositive();
  }

  @Test
  void aReadGoesOnFromTheByteWhereItWas() throws Exception {
    FaultSpec fault = fail(READING, Target.DEVICE, "node-0/0", NEVER);
    RunResult healthy = run(disks(3), 3, WRITE_AND_READ);
    RunResult result = run(disks(3), 3, WRITE_AND_READ, fault);

    assertThat(result.reads().bytes()).isEqualTo(BLOCK);
    assertThat(result.reads().localBytes()).isBetween(BLOCK / 4, BLOCK * 3 / 4);
    assertThat(result.makespanSeconds()).isCloseTo(healthy.makespanSeconds(), within(0.001));
  }

  /** The nodes of a rack go one by one, and a reader may have asked each before the next went. */
  @Test
  void aReaderWhoseSourceGoesBeforeItAnswersReadsOnce() throws Exception {
    VolumeGroup scratch = new VolumeGroup(Scenarios.DISK, 1, 1L << 40, false, true);
    VolumeGroup disk = Scenarios.volume(Scenarios.DISK, 1L << 40, false);
    NodeSpec reader =
        new NodeSpec(
            "reader", 40, 2.8e9, 0, 1L << 30, 5e9, 40, 2, 1e9, 100, 200, 1000, 1, List.of(scratch));
    NodeSpec holder =
        new NodeSpec("holder", 8, 2.8e9, 0, 1L << 30, 5e9, 0, 0, 1e9, 1, 2, 1000, 1, List.of(disk));
    List<Rack> racks =
        List.of(
            new Rack("rack-0", "region", NEVER, List.of(new NodeGroup(reader, 1))),
            new Rack("rack-1", "region", NEVER, List.of(new NodeGroup(holder, 2))),
            new Rack("rack-2", "region", NEVER, List.of(new NodeGroup(holder, 1))));
    WorkloadSpec sort =
        new Applications(new Arrival.Together(), List.of(new Share("lsn/terasort", 1, 0.2)));
    // Maps run away from their data, on the only node with slots, from the fifth second.
    FaultSpec rack = fail(6.2, Target.RACK, "rack-1", NEVER);
    RunResult result =
        Simulation.of(scenario(new ClusterSpec(racks, NEVER, 0.4), 3, sort, rack))
            .checkBetween(0, 100_000)
            .run(Progress.NONE);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().killedTasks()).isZero();
    assertThat(result.reads().bytes()).isEqualTo(result.reads().remoteBytes());
  }

  @Test
  void aReaderWaitsForReplicasThatComeBack() throws Exception {
    FaultSpec forAWhile = fail(64.5, Target.NODE, "node-0", 90);
    RunResult healthy = run(disks(3), 1, FORTY_BLOCKS);
    RunResult result = run(disks(3), 1, FORTY_BLOCKS, forAWhile);

    assertThat(result.jobs().finished()).isEqualTo(2);
    // A map on the node had read some of its block, in vain.
    assertThat(result.reads().bytes()).isBetween(40 * BLOCK, 41 * BLOCK);
    assertThat(result.makespanSeconds()).isGreaterThan(healthy.makespanSeconds());
  }

  @Test
  void aReaderDoesNotWaitForEver() throws Exception {
    FaultSpec forGood = fail(64.5, Target.NODE, "node-0", NEVER);
    RunResult result = run(disks(3), 1, FORTY_BLOCKS, forGood);

    assertThat(result.jobs().finished()).isEqualTo(1);
    assertThat(result.jobs().failed()).isEqualTo(1);
    assertThat(result.makespanSeconds()).isBetween(130.0, 150.0);
  }

  @Test
  void jobsThatWaitForNodesThatNeverComeBackFail() throws Exception {
    FaultSpec rack = fail(2.5, Target.RACK, "rack-0", NEVER);
    RunResult result = run(disks(3), 1, WRITE_AND_READ, rack);

    assertThat(result.complete()).isTrue();
    assertThat(result.jobs().failed()).isEqualTo(2);
  }

  private static FaultSpec fail(double at, Target target, String name, double until) {
    return new FaultSpec(at, target, name, Kind.FAIL, 0, until);
  }

  private static long writtenByDevices(RunResult result) {
    return LongStream.of(result.cost().writtenBytesByClass()).sum();
  }

  private static long replicaBytes(RunResult result) {
    return LongStream.of(result.writes().bytesByTier()).sum();
  }

  /** A rack of nodes with a disk each. */
  private static ClusterSpec disks(int nodes) {
    NodeGroup group =
        new NodeGroup(
            Scenarios.node("disk", 1e9, List.of(Scenarios.volume(Scenarios.DISK, 1L << 40, true))),
            nodes);
    return new ClusterSpec(
        List.of(new Rack("rack-0", "region", NEVER, List.of(group))), NEVER, 0.0001);
  }

  /** Runs with all checks; tasks begin on the first node. */
  private static RunResult run(
      ClusterSpec cluster, int replication, Dfsio workload, FaultSpec... faults) throws Exception {
    Scenario scenario = scenario(cluster, replication, workload, faults);
    Decisions decided = Decisions.of(scenario);
    List<Integer> first = Collections.nCopies(workload.taskCount(), 0);
    Decisions decisions =
        new Decisions(
            decided.placement(),
            decided.access(),
            Map.of(Dfsio.WRITE_JOB, first, Dfsio.READ_JOB, first));
    return Simulation.of(scenario, decisions).checkBetween(0, 100_000).run(Progress.NONE);
  }

  private static Scenario scenario(
      ClusterSpec cluster, int replication, WorkloadSpec workload, FaultSpec... faults) {
    Scenario buffered =
        Scenarios.of(cluster, "network-aware", "network-aware", workload, List.of(faults));
    return Scenarios.with(buffered, replication, writeThrough());
  }

  private static ModelSpec writeThrough() {
    return new ModelSpec(
        1,
        2,
        100L << 20,
        10,
        92L << 20,
        0,
        1L << 30,
        100,
        32,
        0.05,
        3,
        false,
        0,
        0,
        0,
        1,
        0,
        false,
        true,
        true,
        false,
        0);
  }
}
