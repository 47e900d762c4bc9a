package io.tierwise.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Move;
import io.tierwise.simulator.measure.FlushResult;
import io.tierwise.simulator.measure.RepairResult;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.yaml.ScenarioFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The monitor and flushes on a virtual cluster: eight nodes with a disk, of which two have an SSD.
 */
class UpkeepTest {
  private static final long BLOCK_BYTES = 128L << 20;

  private static final String CLUSTER =
      """
      nodes:
        disk: {volumes: [{device: hdd, capacity: 500 GB}]}
        fast:
          volumes:
            - {device: hdd, capacity: 500 GB}
            - {device: sata-ssd, capacity: 4 GB, temporary: false}
      cluster:
        racks: [{count: 2, nodes: [{kind: fast}, {kind: disk, count: 3}]}]
      tiers: [sata-ssd, hdd]
      policies: {placement: "layout:1 x sata-ssd + 2 x hdd"}
      workload: {dfsio: {tasks: 4, file: 256 MiB}}
      """;

  private static final String MONITOR = "monitor={interval: 20 s, bandwidth: 10 MB/s}";

  @TempDir Path folder;
  private ScenarioFiles cluster;

  @BeforeEach
  void readCluster() throws IOException {
    cluster =
        ScenarioFiles.load(Files.writeString(folder.resolve("cluster.yaml"), CLUSTER).toString());
  }

  private Scenario scenario(String... settings) {
    ScenarioFiles files = cluster;
    for (String setting : settings) {
      files = files.with(setting, "setting");
    }
    return files.scenario();
  }

  private static RunResult run(Scenario scenario) throws IOException {
    return Simulation.of(scenario).checkBetween(0, 1e6).run(Progress.NONE);
  }

  private static String[] policyChange(String... more) {
    String[] settings = new String[more.length + 2];
    settings[0] = "stored=[{path: /data, files: 8, size: 128 MiB, placement: 'layout:3 x hdd'}]";
    settings[1] =
        "movement=[{at: 5 s, path: /data, apply: false,"
            + " placement: 'layout:1 x sata-ssd + 2 x hdd'}]";
    System.arraycopy(more, 0, settings, 2, more.length);
    return settings;
  }

  @Test
  void aPolicyThatChangesIsFollowedWithinTheMonitorsBudget() throws IOException {
    RunResult result = run(scenario(policyChange(MONITOR)));
    RepairResult repairs = result.repairs().orElseThrow();
    assertThat(result.movements().get(0).replicas()).isZero();
    assertThat(repairs.repairedBlocks()).isEqualTo(8);
    assertThat(repairs.moves().bytes()).isEqualTo(8 * BLOCK_BYTES);
    assertThat(repairs.moves().comeBytesByTier()[0]).isEqualTo(8 * BLOCK_BYTES);
    assertThat(repairs.waitingBlocks()).isZero();
    // Two nodes take in four blocks each, at 10 MB/s; the last one may start when its turn has
    // come.
    double atLeast = 3 * BLOCK_BYTES / 10e6;
    assertThat(repairs.longestSeconds()).isBetween(atLeast, 3 * atLeast);
  }

  @Test
  void withoutAMonitorAPolicyAloneMovesNothing() throws IOException {
    RunResult result = run(scenario(policyChange()));
    assertThat(result.repairs()).isEmpty();
    assertThat(result.movements().get(0).complete()).isTrue();
    assertThat(result.movements().get(0).files()).isEqualTo(8);
    assertThat(result.movements().get(0).bytes()).isZero();
  }

  /** As `tierwise policy set`, which needs no mover. */
  @Test
  void aPolicyAloneWaitsForNoOtherMovement() throws IOException {
    String[] settings = policyChange();
    settings[1] =
        settings[1].replace(
            "[", "[{path: /data, placement: 'layout:2 x hdd + 1 x sata-ssd', bandwidth: 1 MB/s}, ");
    RunResult result = run(scenario(settings));
    assertThat(result.movements().get(0).seconds()).isGreaterThan(100);
    assertThat(result.movements().get(1).startSeconds()).isEqualTo(5);
    assertThat(result.movements().get(1).complete()).isTrue();
  }

  @Test
  void everyRepairIsADecisionThatIsTold() throws IOException {
    AtomicInteger moves = new AtomicInteger();
    Simulation.of(scenario(policyChange(MONITOR)))
        .tell((seconds, action, view) -> moves.addAndGet(action instanceof Move ? 1 : 0))
        .run(Progress.NONE);
    assertThat(moves).hasValue(8);
  }

  @Test
  void replicasThatFellBackWhenTheirDevicesBrokeReturnToTheTierWhenItIsBack() throws IOException {
    String stored = "stored=[{path: /data, files: 6, size: 128 MiB}]";
    String faults =
        "faults=[{at: 5 s, until: 120 s, device: node-0/1},"
            + " {at: 5 s, until: 120 s, device: node-4/1}]";
    String monitor = "monitor={interval: 20 s, bandwidth: 50 MB/s, until: 10 min}";
    RunResult result = run(scenario(stored, faults, monitor));
    RepairResult repairs = result.repairs().orElseThrow();
    assertThat(result.faults().repairedBytes()).isGreaterThanOrEqualTo(6 * BLOCK_BYTES);
    assertThat(repairs.moves().comeBytesByTier()[0]).isGreaterThanOrEqualTo(6 * BLOCK_BYTES);
    assertThat(repairs.waitingBlocks()).isZero();
    // Nothing could be moved up while the tier was gone.
    assertThat(repairs.failedAttempts()).isPositive();
    assertThat(repairs.longestSeconds()).isGreaterThan(100);
  }

  @Test
  void aTierOverItsHighMarkIsBroughtToItsLowOneAndTakesNewData() throws IOException {
    String stored = "stored=[{path: /old, files: 58, size: 128 MiB}]";
    String flush = "flush=[{tier: sata-ssd, high: 90%, low: 50%, bandwidth: 100 MB/s}]";
    RunResult without = run(scenario(stored));
    RunResult with = run(scenario(stored, flush, "model.job-start=3 min"));
    FlushResult flushed = with.flushes().get(0);
    double capacity = 8e9;
    assertThat(flushed.fullestShare()).isBetween(0.9, 1.0);
    assertThat(flushed.freedBytes()).isGreaterThanOrEqualTo(flushed.neededBytes());
    assertThat(flushed.neededBytes()).isGreaterThan((long) (0.4 * capacity));
    assertThat(without.flushes()).isEmpty();
    assertThat(with.writes().bytesByTier()[0]).isGreaterThan(without.writes().bytesByTier()[0]);
  }

  /** Two seconds after a walk a policy changes: nothing happens until the next walk, at 605 s. */
  @Test
  void aTierIsLookedAfterAsLongAsTheMonitorKeepsTheRunGoing() throws IOException {
    String monitor = "monitor={interval: 60 s, until: 20 min, bandwidth: 100 MB/s}";
    String flush =
        "flush=[{tier: sata-ssd, path: /data, high: 10%, low: 5%, every: 7 s, bandwidth: 100"
            + " MB/s}]";
    String[] settings = policyChange(monitor, flush);
    settings[1] = settings[1].replace("at: 5 s", "at: 602 s");
    RunResult result = run(scenario(settings));
    assertThat(result.repairs().orElseThrow().moves().bytes()).isEqualTo(8 * BLOCK_BYTES);
    assertThat(result.flushes().get(0).flushes()).isPositive();
    assertThat(result.flushes().get(0).freedBytes()).isPositive();
  }

  /** As with `tierwise tiers flush`, which asks volumes in service. */
  @Test
  void aTierIsAsFullAsThoseOfItsDevicesThatWork() throws IOException {
    String stored = "stored=[{path: /old, files: 24, size: 128 MiB}]";
    String flush = "flush=[{tier: sata-ssd, high: 60%, low: 50%, bandwidth: 100 MB/s}]";
    String start = "model.job-start=3 min";
    FlushResult both = run(scenario(stored, flush, start)).flushes().get(0);
    assertThat(both.flushes()).isZero();
    assertThat(both.fullestShare()).isLessThan(0.6);

    // What it held is copied to the other one, which has room for it.
    String broken = "faults=[{at: 5 s, device: node-0/1}]";
    FlushResult one = run(scenario(stored, flush, start, broken)).flushes().get(0);
    assertThat(one.fullestShare()).isBetween(0.6, 1.0);
    assertThat(one.flushes()).isPositive();
    assertThat(one.freedBytes()).isGreaterThanOrEqualTo(one.neededBytes());
  }

  @Test
  void dataLeavesForATierThatMovesMayFill() throws IOException {
    String small = "{device: small, capacity: 100 MB, temporary: false}";
    String three =
        CLUSTER
                .replace("temporary: false}\n", "temporary: false}\n      - " + small + "\n")
                .replace("tiers: [sata-ssd, hdd]", "tiers: [sata-ssd, small, hdd]")
            + "devices: {small: {based-on: hdd}}\n";
    cluster = ScenarioFiles.parse(three, "three tiers");
    String stored = "stored=[{path: /old, files: 58, size: 128 MiB}]";
    String flush = "flush=[{tier: sata-ssd, high: 90%, low: 50%, bandwidth: 100 MB/s}]";

    FlushResult flushed = run(scenario(stored, flush, "model.job-start=3 min")).flushes().get(0);
    assertThat(flushed.freedBytes()).isPositive();
    assertThat(flushed.moves().comeBytesByTier()).containsExactly(0, 0, flushed.freedBytes());
  }

  @Test
  void surplusReplicasAreDroppedBeforeAnythingMoves() throws IOException {
    String stored =
        "stored=[{path: /old, files: 40, size: 128 MiB,"
            + " placement: 'layout:2 x hdd on different racks + 1 x sata-ssd surplus'}]";
    FlushResult enough =
        run(scenario(stored, "flush=[{tier: sata-ssd, high: 90%, low: 90%}]")).flushes().get(0);
    assertThat(enough.flushes()).as("no room is needed").isZero();

    FlushResult flushed =
        run(scenario(stored, "flush=[{tier: sata-ssd, high: 50%, low: 30%}]")).flushes().get(0);
    assertThat(flushed.neededBytes()).isPositive();
    assertThat(flushed.surplusBytes())
        .isGreaterThanOrEqualTo(flushed.neededBytes())
        .isEqualTo(flushed.freedBytes());
    assertThat(flushed.moves().replicas()).isZero();
  }

  @Test
  void filesWhosePolicyIsNoLayoutStayAndTheReasonIsTold() throws IOException {
    String stored = "stored=[{path: /old, files: 58, size: 128 MiB, placement: tier-aware}]";
    String flush = "flush=[{tier: sata-ssd, high: 50%, low: 10%}]";
    FlushResult flushed = run(scenario(stored, flush)).flushes().get(0);
    assertThat(flushed.flushes()).isZero();
    assertThat(flushed.freedBytes()).isZero();
    assertThat(flushed.passedOver()).anyMatch(reason -> reason.contains("is no layout"));
  }

  @Test
  void badKeysAreNamedWithWhatToChange() {
    assertThatThrownBy(() -> scenario("flush=[{tier: hdd}]")).hasMessageContaining("slowest tier");
    assertThatThrownBy(() -> scenario("flush=[{tier: nvme}]"))
        .hasMessageContaining("is no tier: sata-ssd, hdd are");
    assertThatThrownBy(() -> scenario("flush=[{tier: sata-ssd, high: 50%, low: 60%}]"))
        .hasMessageContaining("low")
        .hasMessageContaining("is above high");
    assertThatThrownBy(() -> scenario("monitor={interval: 0 s}"))
        .hasMessageContaining("is too often: give 1 s or more");
  }

  /** No block can move: batch after batch is over as soon as it begins, none inside another. */
  @Test
  void aLongBacklogThatCannotBeRepairedTakesNoLongStack() throws Exception {
    String yaml =
        """
        nodes:
          n: {volumes: [{device: sata-ssd, capacity: 1 MB, temporary: false}, hdd]}
        cluster: {racks: [{nodes: [n]}]}
        policies: {placement: "layout:1 x hdd", replication: 1, block: 1 MB}
        stored: [{path: /w, size: 100 GB}]
        movement: [{path: /w, placement: 1 x sata-ssd, apply: false}]
        monitor: {queue: 1000000}
        workload: {dfsio: {tasks: 1, file: 1 MB, read: false}}
        """;
    FutureTask<RunResult> run =
        new FutureTask<>(
            () -> Simulation.of(ScenarioFiles.parse(yaml, "many").scenario()).run(Progress.NONE));
    new Thread(null, run, "short stack", 256 << 10).start();

    assertThat(run.get().repairs().orElseThrow().failedAttempts()).isGreaterThanOrEqualTo(100_000);
  }
}
