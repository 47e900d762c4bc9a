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

  @Test
  void noResourceGivesMoreThanItHas() {
    double seconds = run(Ticks.ofSeconds(0.5));

    assertThat(bytesByUnits).isLessThanOrEqualTo(DISKS * 100.0 * seconds * (1 + 1e-9));
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
