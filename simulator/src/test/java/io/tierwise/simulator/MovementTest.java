package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.action.Move;
import io.tierwise.core.view.ArrayClusterView;
import io.tierwise.simulator.jobs.TaskContext;
import io.tierwise.simulator.measure.MovementResult;
import io.tierwise.simulator.measure.MovementResult.Left;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import io.tierwise.simulator.storage.Namespace;
import io.tierwise.simulator.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored data changes its tier in a run: where it goes, how long it takes, what it meets. */
class MovementTest {
  /** Nine nodes, each with an SSD and a disk; a cold file; one job that reads and writes none. */
  private static final String BOTH =
      """
      nodes:
        both:
          page-cache: 0 B
          volumes:
            - {device: sata-ssd, capacity: SSD, temporary: false}
            - {device: hdd, capacity: 1 TB}
      cluster:
        racks:
          - {name: a, nodes: [{kind: both, count: 5}]}
          - {name: b, nodes: [{kind: both, count: 4}]}
      tiers: [{name: ssd, device: sata-ssd}, {name: disk, device: hdd}]
      policies: {placement: "layout:3 x disk", access: greedy, block: 16 MiB}
      stored: [{path: /w, files: 9, size: 160 MiB}]
      workload: {dfsio: {tasks: 1, file: 1 MB, read: false}}
      """;

  /** SSDs and disks on different nodes. */
  private static final String APART =
      """
      nodes:
        fast: {page-cache: 0 B, volumes: [{device: sata-ssd, capacity: 100 GB}]}
        slow: {page-cache: 0 B, volumes: [{device: hdd, capacity: 1 TB}]}
      cluster:
        racks:
          - {name: a, nodes: [{kind: slow, count: 3}, {kind: fast, count: 2}]}
          - {name: b, nodes: [{kind: slow, count: 3}, {kind: fast, count: 2}]}
      tiers: [{name: ssd, device: sata-ssd}, {name: disk, device: hdd}]
      policies: {placement: "layout:3 x disk", access: greedy, block: 16 MiB}
      stored: [{path: /w, files: 4, size: 160 MiB}]
      workload: {dfsio: {tasks: 1, file: 1 MB, read: false}}
      """;

  private record Ran(RunResult result, TaskContext context) {
    MovementResult moved() {
      assertThat(result.movements()).hasSize(1);
      return result.movements().get(0);
    }

    /** For each block below the path its replicas' tiers, in order. */
    List<String> tiersBelow(String path) {
      Namespace namespace = context.namespace();
      ArrayClusterView view = context.cluster().view();
      List<String> blocks = new ArrayList<>();
      for (StoredFile file : namespace.namedFiles()) {
        for (int index = 0; file.path().startsWith(path) && index < file.blockCount(); index++) {
          int[] volumes = namespace.wholeReplicas(file.block(index));
          blocks.add(
              IntStream.of(volumes)
                  .mapToObj(volume -> context.cluster().volume(volume).viewVolume())
                  .map(volume -> view.tiers().tier(view.tierOfVolume(volume)).name())
                  .sorted()
                  .toList()
                  .toString());
        }
      }
      return blocks;
    }
  }

  /** Every invariant is checked after every event. */
  private static Ran run(String scenario, String... settings) throws IOException {
    Simulation simulation =
        simulation(scenario, settings).checkBetween(0, Double.POSITIVE_INFINITY);
    RunResult result = simulation.run(Progress.NONE);
    assertThat(simulation.checkedEventCount()).isPositive();
    return new Ran(result, simulation.context());
  }

  /** For runs of many events. */
  private static Ran runUnchecked(String scenario, String... settings) throws IOException {
    Simulation simulation = simulation(scenario, settings);
    return new Ran(simulation.run(Progress.NONE), simulation.context());
  }

  private static Simulation simulation(String scenario, String... settings) {
    ScenarioFiles files = ScenarioFiles.parse(scenario, "test");
    for (String setting : settings) {
      files = files.with(setting, "--set");
    }
    return Simulation.of(files.scenario());
  }

  private static String both(String ssdCapacity) {
    return BOTH.replace("SSD", ssdCapacity);
  }

  private static String toSsd(String bandwidth) {
    return "movement=[{path: /w, placement: \"1 x ssd + 2 x disk\", bandwidth: "
        + bandwidth
        + ", bandwidth-total: 10 GB/s, keep-free: 0}]";
  }

  /**
   * Sixteen readers at a time run on each node; a disk could serve its moves at twice their rate.
   */
  private static Ran besideReaders(int yieldAbove) throws IOException {
    String yields = "at: 10 s, keep-free: 0, yield-above: " + yieldAbove;
    return runUnchecked(
        both("100 GB").replace("page-cache: 0 B", "page-cache: 0 B\n    map-slots: 16"),
        toSsd("5 MB/s").replace("keep-free: 0", yields),
        "workload={dfsio: {tasks: 144, file: 600 MB, write: false}}");
  }

  @Test
  void movesInsideNodesUntilEachBlockHasItsLayout() throws Exception {
    Ran ran = run(both("100 GB"), toSsd("1 GB/s"));

    assertThat(ran.tiersBelow("/w")).hasSize(90).containsOnly("[disk, disk, ssd]");
    assertThat(ran.moved().complete()).isTrue();
    assertThat(ran.moved().replicas()).isEqualTo(90);
    assertThat(ran.moved().bytes()).isEqualTo(90 * (16L << 20));
    assertThat(ran.moved().networkBytes()).isZero();
    assertThat(ran.moved().comeBytesByTier()).containsExactly(90 * (16L << 20), 0);
    assertThat(ran.moved().goBytesByTier()).containsExactly(0, 90 * (16L << 20));
    assertThat(ran.moved().left()).isEmpty();
  }

  /** The SSDs' gigabyte costs a dollar, the disks' five cents; the job's file is 1 MB. */
  @Test
  void storageCostsWhatTheDevicesCostOnWhichItStandsAtTheEnd() throws Exception {
    double still = run(both("100 GB")).result().atEnd().dollarsPerGigabyte();
    double moved = run(both("100 GB"), toSsd("1 GB/s")).result().atEnd().dollarsPerGigabyte();

    double third = 90 * (16L << 20);
    assertThat(still).isCloseTo(0.05, within(1e-9));
    assertThat(moved)
        .isCloseTo((third + (2 * third + 3e6) * 0.05) / (3 * third + 3e6), within(1e-9));
  }

  @Test
  void movesYieldToReadersOfTheirNodes() throws Exception {
    Ran yielding = besideReaders(2);
    Ran never = besideReaders(0);

    assertThat(yielding.moved().replicas()).isEqualTo(never.moved().replicas()).isEqualTo(90);
    assertThat(yielding.moved().seconds()).isGreaterThan(2 * never.moved().seconds());
  }

  @Test
  void movesBetweenNodesKeepRacks() throws Exception {
    Ran ran = run(APART, toSsd("1 GB/s"));

    assertThat(ran.tiersBelow("/w")).hasSize(40).containsOnly("[disk, disk, ssd]");
    assertThat(ran.moved().networkBytes()).isEqualTo(ran.moved().bytes()).isPositive();
    Namespace namespace = ran.context().namespace();
    for (StoredFile file : namespace.namedFiles()) {
      for (int index = 0; file.path().startsWith("/w") && index < file.blockCount(); index++) {
        long racks =
            IntStream.of(namespace.wholeReplicas(file.block(index)))
                .map(volume -> ran.context().cluster().volume(volume).node())
                .map(node -> ran.context().cluster().rackOf(node))
                .distinct()
                .count();
        assertThat(racks).isEqualTo(2);
      }
    }
  }

  /** An SSD writes 16 MiB in much less time than the limit grants. */
  @ParameterizedTest
  @ValueSource(strings = {"2 MB/s", "5 MB/s"})
  void aLimitOfNodesSetsTheTime(String bandwidth) throws Exception {
    MovementResult moved = run(both("100 GB"), toSsd(bandwidth)).moved();

    // The last move of a node starts when the one before it is paid for.
    double last = (16 << 20) / (bandwidth.startsWith("2") ? 2e6 : 5e6);
    assertThat(moved.seconds()).isBetween(moved.secondsAtLimits() - last, moved.secondsAtLimits());
  }

  @Test
  void aLimitOfAllSetsTheTime() throws Exception {
    MovementResult moved =
        run(both("100 GB"), toSsd("1 GB/s"), "movement[0].bandwidth-total=20 MB/s").moved();

    assertThat(moved.secondsAtLimits()).isCloseTo(90 * (16 << 20) / 20e6, within(1e-6));
    assertThat(moved.seconds()).isCloseTo(moved.secondsAtLimits(), within(1.5));
  }

  @Test
  void anUnlimitedMoveTakesWhatItsDevicesTake() throws Exception {
    MovementResult moved = run(both("100 GB"), toSsd("10 GB/s")).moved();

    assertThat(moved.secondsAtLimits()).isLessThan(0.2);
    assertThat(moved.seconds()).isGreaterThan(10 * moved.secondsAtLimits());
  }

  @Test
  void jobsAndMovesHoldEachOtherUp() throws Exception {
    String busy = "workload.dfsio={tasks: 36, file: 400 MB, read: false}";
    String through = "model.write-through=true";
    RunResult alone = runUnchecked(both("100 GB"), busy, through).result();
    // From the fifth second on tasks write.
    String late = "movement[0].at=5 s";
    Ran together = runUnchecked(both("100 GB"), busy, through, toSsd("1 GB/s"), late);
    Ran idle = runUnchecked(both("100 GB"), through, toSsd("1 GB/s"), late);
    Ran gentle = runUnchecked(both("100 GB"), busy, through, toSsd("4 MB/s"), late);

    assertThat(alone.movements()).isEmpty();
    assertThat(together.result().jobs().meanSeconds()).isGreaterThan(alone.jobs().meanSeconds());
    assertThat(together.moved().seconds()).isGreaterThan(idle.moved().seconds());
    assertThat(gentle.result().jobs().meanSeconds())
        .isGreaterThan(alone.jobs().meanSeconds())
        .isLessThan(together.result().jobs().meanSeconds());
  }

  /**
   * One replica after the other, each of which HDFS drops with its heartbeats: 9 s at most, and the
   * mover learns of it 2 s later at most.
   */
  @Test
  void betweenNodesHeartbeatsTakeLongerThanTheirLimits() throws Exception {
    String few = "stored=[{path: /w, size: 32 MiB}]";
    String two =
        "movement=[{path: /w, placement: \"2 x ssd + 1 x disk\", bandwidth: 1 GB/s, heartbeat: ";
    MovementResult slow = run(APART, few, two + "3 s}]").moved();
    MovementResult quick = run(APART, few, two + "10 ms}]").moved();

    assertThat(slow.replicas()).isEqualTo(4);
    assertThat(slow.seconds()).isBetween(9.0, 22.5);
    assertThat(quick.seconds()).isBetween(3.0, 10.5);
    assertThat(slow.secondsAtLimits()).isLessThan(0.3);
  }

  @Test
  void whatFindsNoRoomStaysAndSaysWhy() throws Exception {
    // Room for three blocks on each of nine SSDs.
    Ran ran = run(both("52 MB"), toSsd("1 GB/s"));

    assertThat(ran.moved().replicas()).isEqualTo(27);
    assertThat(ran.moved().left())
        .containsExactly(new Left("no room in the wanted tier", 63, 63 * (16L << 20)));
    assertThat(ran.tiersBelow("/w")).filteredOn("[disk, disk, ssd]"::equals).hasSize(27);
  }

  @Test
  void freeSpaceIsKept() throws Exception {
    Ran ran = run(both("100 MB"), toSsd("1 GB/s"), "movement[0].keep-free=50%");

    ArrayClusterView view = ran.context().cluster().view();
    for (int volume = 0; volume < view.volumeCount(); volume++) {
      if (view.tierOfVolume(volume) == 0) {
        assertThat(view.freeBytes(volume)).isGreaterThanOrEqualTo(50_000_000);
      }
    }
    assertThat(ran.moved().replicas()).isPositive().isLessThan(90);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "faults=[{at: 3 s, node: node-2}]",
        "faults=[{at: 3 s, device: node-2/0}]",
        "faults=[{at: 3 s, device: node-2/1}]",
        "faults=[{at: 3 s, rack: b, until: 8 s}]",
        "faults=[{at: 3 s, node: node-2, until: 700 s}, {at: 4 s, device: node-1/0}]"
      })
  void aFaultInTheMiddleLosesNothing(String faults) throws Exception {
    for (String cluster : List.of(both("100 GB"), APART.replace("count: 3", "count: 4"))) {
      if (faults.contains("/1") && !cluster.contains("both")) {
        continue;
      }
      Ran ran = run(cluster, toSsd("20 MB/s"), faults);

      assertThat(ran.moved().complete()).isTrue();
      assertThat(ran.result().faults().lostBlocks()).isZero();
      assertThat(ran.moved().replicas()).isPositive();
      Namespace namespace = ran.context().namespace();
      for (StoredFile file : namespace.namedFiles()) {
        for (int index = 0; index < file.blockCount(); index++) {
          assertThat(namespace.wholeReplicas(file.block(index)).length).isGreaterThanOrEqualTo(2);
        }
      }
    }
  }

  /** After two seconds the copy is whole, and HDFS has yet to drop the old replica. */
  @Test
  void aCopyStandsForAnOldReplicaThatIsLostBeforeItIsDropped() throws Exception {
    String few = "stored=[{path: /w, size: 16 MiB}]";
    List<String> old = new ArrayList<>();
    simulation(APART, few, toSsd("1 GB/s"))
        .tell(
            (seconds, action, view) -> {
              if (action instanceof Move move) {
                assertThat(seconds).isGreaterThan(3);
                old.add(view.nodeName(view.nodeOfVolume(move.from())));
              }
            })
        .run(Progress.NONE);
    assertThat(old).hasSize(1);
    Ran ran = run(APART, few, toSsd("1 GB/s"), "faults=[{at: 2 s, device: " + old.get(0) + "/0}]");

    assertThat(ran.moved().replicas()).isEqualTo(1);
    assertThat(ran.moved().left()).isEmpty();
    assertThat(ran.result().faults().repairedBytes()).as("nothing is missing").isZero();
    assertThat(ran.tiersBelow("/w")).containsExactly("[disk, disk, ssd]");
  }

  /** Blocks that are yet to be written follow the new policy, as on a NameNode. */
  @Test
  void aFileThatIsBeingWrittenIsLeftAlone() throws Exception {
    Ran ran =
        run(
            both("100 GB"),
            "workload.dfsio={tasks: 1, file: 300 MB, read: true}",
            "model.write-through=true",
            "movement=[{path: /benchmarks, at: 5 s, placement: \"1 x ssd + 2 x disk\"}]");

    assertThat(ran.moved().replicas()).isZero();
    assertThat(ran.moved().left()).extracting(Left::reason).containsOnly("it is being written");
    assertThat(ran.tiersBelow("/benchmarks"))
        .startsWith("[disk, disk, disk]")
        .endsWith("[disk, disk, ssd]");
  }

  @Test
  void oneMovementWaitsForTheOther() throws Exception {
    Ran ran =
        run(
            both("100 GB"),
            "movement=[{path: /w/*-1, at: 1 s, placement: \"2 x ssd + 1 x disk\"},"
                + " {path: /w, placement: \"1 x ssd + 2 x disk\", bandwidth: 5 MB/s}]");
    List<MovementResult> moved = ran.result().movements();

    assertThat(moved).extracting(MovementResult::files).containsExactly(9L, 1L);
    assertThat(moved.get(1).startSeconds())
        .isCloseTo(moved.get(0).startSeconds() + moved.get(0).seconds(), within(1e-9));
    assertThat(ran.tiersBelow("/w/part-1")).containsOnly("[disk, ssd, ssd]");
    assertThat(ran.tiersBelow("/w/part-2")).containsOnly("[disk, disk, ssd]");
  }

  /** Else HDFS, and the simulator's repairs, would bring back what was moved. */
  @Test
  void repairsFollowThePolicyThatWasSet() throws Exception {
    Ran ran =
        runUnchecked(
            both("100 GB"),
            toSsd("1 GB/s"),
            "faults=[{at: 100 s, node: node-2}]",
            "workload.dfsio={tasks: 1, file: 100 GB, read: false}");

    assertThat(ran.result().faults().repairedBytes()).isPositive();
    assertThat(ran.tiersBelow("/w")).containsOnly("[disk, disk, ssd]");
  }

  @Test
  void theSameScenarioGivesTheSameRun() throws Exception {
    String[] settings = {toSsd("20 MB/s"), "faults=[{at: 3 s, node: node-2}]"};

    assertThat(run(APART, settings).result().engine().logHash())
        .isEqualTo(run(APART, settings).result().engine().logHash());
  }

  @Test
  void whatAJobReadsIsWhatWasStoredUnderItsName() throws Exception {
    String stored = "stored=[{path: /benchmarks/TestDFSIO/io_data, size: 160 MiB}]";
    Ran ran =
        run(
            both("100 GB"),
            stored,
            "workload.dfsio={tasks: 1, file: 160 MiB, write: false}",
            "movement=[{path: /benchmarks, placement: \"3 x ssd\"}]");

    assertThat(ran.tiersBelow("/benchmarks")).hasSize(10).containsOnly("[ssd, ssd, ssd]");
    assertThat(ran.result().reads().bytesByTier()[0]).isPositive();
  }
}
