package io.tierwise.simulator.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rates that are divided seldom while many flows run: what that may and may not change. */
class GranularityTest {
  private static final int DISKS = 50;
  private static final int FLOWS = 4000;

  private long finished;
  private double lastEndSeconds;
  private double bytesByUnits;

  @Test
  void everyFlowEndsWithAllItsBytesAtAlmostTheSameTime() {
    double exactSeconds = run(0);
    double exactBytes = bytesByUnits;
    double coarseSeconds = run(Ticks.ofSeconds(0.1));

    assertThat(finished).isEqualTo(FLOWS);
    assertThat(bytesByUnits).isCloseTo(exactBytes, within(1e-6 * exactBytes));
    // Other flows end first, and so the last one may even end a little earlier.
    assertThat(coarseSeconds).isCloseTo(exactSeconds, within(0.05 * exactSeconds));
  }

  /**
   * Between two divisions readers join others on the same path. All of them share what the path had
   * until then.
   */
  @Test
  void noResourceGivesMoreThanItHasToThoseWhoJoin() {
    Engine engine = new Engine();
    FlowNetwork network = new FlowNetwork(engine, (flow, tag) -> {});
    network.setGranularity(Ticks.ofSeconds(0.1));
    int[] disks = new int[DISKS];
    for (int i = 0; i < DISKS; i++) {
      disks[i] = network.addResource(100);
    }
    int starter =
        engine.register(
            disk ->
                network.start(
                    new int[] {disks[(int) disk]},
                    new double[] {1},
                    1,
                    (double) (10 + disk),
                    Double.POSITIVE_INFINITY,
                    disk));
    for (int i = 0; i < FLOWS; i++) {
      engine.at(Ticks.ofSeconds(i < 1500 ? 0 : i / 1000.0), starter, i % DISKS);
    }
    int joins = 0;
    while (engine.step()) {
      for (int disk : disks) {
        assertThat(network.used(disk)).isLessThanOrEqualTo(100 * (1 + 1e-9));
      }
      joins += network.flowCount() >= 1000 ? 1 : 0;
    }
    assertThat(joins).as("events while rates wait").isGreaterThan(1000);
    assertThat(network.finishedFlows()).isEqualTo(FLOWS);
    double[] bytes = new double[DISKS];
    for (int i = 0; i < FLOWS; i++) {
      bytes[i % DISKS] += 10 + i % DISKS;
    }
    for (int i = 0; i < DISKS; i++) {
      assertThat(network.unitsMoved(disks[i])).isCloseTo(bytes[i], within(1e-6 * bytes[i]));
    }
  }

  /** Copies between disks of 100 units per second, all begun within a second. */
  private double run(long granularityTicks) {
    finished = 0;
    Engine engine = new Engine();
    FlowNetwork network =
        new FlowNetwork(
            engine,
            (flow, tag) -> {
              finished++;
              lastEndSeconds = Ticks.toSeconds(engine.now());
            });
    if (granularityTicks > 0) {
      network.setGranularity(granularityTicks);
    }
    int[] disks = new int[DISKS];
    for (int i = 0; i < DISKS; i++) {
      disks[i] = network.addResource(100);
    }
    SplittableRandom random = new SplittableRandom(5);
    int starter =
        engine.register(
            argument -> {
              int[] path = {disks[random.nextInt(DISKS)], disks[random.nextInt(DISKS)]};
              network.start(
                  path,
                  new double[] {1, 1},
                  path[0] == path[1] ? 1 : 2,
                  1 + random.nextDouble() * 20,
                  Double.POSITIVE_INFINITY,
                  argument);
            });
    for (int i = 0; i < FLOWS; i++) {
      engine.at(Ticks.ofSeconds(i / (double) FLOWS), starter, i);
    }
    engine.runUntil(Ticks.NEVER);
    bytesByUnits = 0;
    for (int disk : disks) {
      bytesByUnits += network.unitsMoved(disk);
    }
    return lastEndSeconds;
  }
}
