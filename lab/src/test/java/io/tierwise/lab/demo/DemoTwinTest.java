package io.tierwise.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.lab.demo.DemoTwin.Phase;
import io.tierwise.lab.demo.RunRecord.Replica;
import io.tierwise.lab.dfsio.DfsioPlan;
import io.tierwise.lab.embedded.EmbeddedPlan;
import io.tierwise.lab.embedded.device.DeviceModel;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import io.tierwise.simulator.Decisions;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A twin that is told what was decided, against what a pencil says. */
class DemoTwinTest {
  private static final EmbeddedPlan CLUSTER =
      new EmbeddedPlan(3, 3, 1, 0.25, EmbeddedPlan.TEN_GIGABIT_BYTES_PER_SECOND);
  private static final int NODES = 9;
  private static final int PCIE = 0;
  private static final int DISK = 2;
  private static final long BLOCK_BYTES = 2 << 20;

  /** One block each for two tasks a node, one replica. */
  private static final DfsioPlan PLAN =
      new DfsioPlan(2 * NODES, BLOCK_BYTES, BLOCK_BYTES, (short) 1, 1, 7);

  private static final DeviceModel SLOW = DeviceModel.DISK.scaled(CLUSTER.speedFactor());

  private static List<Integer> twoANode() {
    return IntStream.range(0, 2 * NODES).mapToObj(task -> task % NODES).toList();
  }

  private static double rate(Phase phase, List<Replica> replicas, AccessStrategy access)
      throws IOException {
    RunRecord run =
        new RunRecord(
            twoANode(),
            twoANode(),
            replicas.stream().map(replica -> List.of(List.of(replica))).toList());
    return new DemoTwin(CLUSTER, PLAN)
        .bytesPerSecond(
            phase,
            new Decisions(
                new RecordedPlacement(run),
                access,
                Map.of(
                    WorkloadSpec.Dfsio.WRITE_JOB, run.writers(),
                    WorkloadSpec.Dfsio.READ_JOB, run.readers())),
            1);
  }

  private static double rate(Phase phase, List<Replica> replicas) throws IOException {
    return rate(phase, replicas, AccessStrategies.parse("greedy"));
  }

  private static List<Replica> localDisks() {
    return twoANode().stream().map(node -> new Replica(node, DISK)).toList();
  }

  @Test
  void twoReadersOfEachDiskShareItAsTheEmulationSays() throws IOException {
    double seconds = 2 * SLOW.secondsToRead(BLOCK_BYTES, 2);

    assertThat(rate(Phase.READ, localDisks()))
        .isCloseTo(BLOCK_BYTES / seconds, within(BLOCK_BYTES / seconds * 1e-6));
  }

  /** Positioning is a smaller part of a slower transfer: writes have a curve of their own. */
  @Test
  void twoWritersOfEachDiskShareItAsTheEmulationSays() throws IOException {
    double seconds = 2 * SLOW.secondsToWrite(BLOCK_BYTES, 2);

    assertThat(rate(Phase.WRITE, localDisks()))
        .isCloseTo(BLOCK_BYTES / seconds, within(BLOCK_BYTES / seconds * 1e-6));
  }

  @Test
  void allReadersOfOneRecordedDeviceShareIt() throws IOException {
    double fast = DeviceModel.PCIE_SSD.scaled(CLUSTER.speedFactor()).readBytesPerSecond();

    assertThat(rate(Phase.READ, Collections.nCopies(2 * NODES, new Replica(0, PCIE))))
        .isCloseTo(fast / (2 * NODES), within(fast * 1e-6));
  }

  @Test
  void readersReadTheReplicasThatWereRecorded() throws IOException {
    RunRecord run =
        new RunRecord(
            twoANode(),
            twoANode(),
            twoANode().stream()
                .map(
                    node ->
                        List.of(
                            List.of(new Replica(node, DISK), new Replica((node + 1) % 9, DISK))))
                .toList());
    DfsioPlan two = new DfsioPlan(2 * NODES, BLOCK_BYTES, BLOCK_BYTES, (short) 2, 1, 7);
    // Node 0 serves one reader, node 1 three, all others two.
    List<List<Integer>> sources =
        IntStream.range(0, 2 * NODES)
            .mapToObj(task -> List.of(task == 0 ? 1 : task % NODES))
            .toList();

    double rate =
        new DemoTwin(CLUSTER, two)
            .bytesPerSecond(
                Phase.READ,
                new Decisions(
                    new RecordedPlacement(run),
                    new RecordedAccess(sources),
                    Map.of(
                        WorkloadSpec.Dfsio.WRITE_JOB, run.writers(),
                        WorkloadSpec.Dfsio.READ_JOB, run.readers())),
                1);

    double pairs = 7 * 2 * 2 * SLOW.secondsToRead(BLOCK_BYTES, 2);
    double alone = SLOW.secondsToRead(BLOCK_BYTES, 1);
    double three = 3 * 3 * SLOW.secondsToRead(BLOCK_BYTES, 3);
    double expected = 2 * NODES * BLOCK_BYTES / (pairs + alone + three);
    assertThat(rate).isCloseTo(expected, within(expected * 1e-6));
  }
}
