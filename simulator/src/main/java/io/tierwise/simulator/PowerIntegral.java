package io.tierwise.simulator;

import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.cluster.VirtualCluster.Volume;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.jobs.TaskContext;
import java.util.Arrays;

/**
 * The joules of the devices, summed up from their power after each event, beside those that the run
 * reports, which come from the seconds in which the network was busy. A node's joules are not here:
 * its tasks' computing is counted when it is done.
 */
final class PowerIntegral {
  /** Own: sums of millions of short intervals have another order than what they are compared to. */
  private static final double TOLERANCE = 1e-6;

  private final TaskContext context;
  private double joules;
  private double watts;
  private long tick = Ticks.NEVER;

  PowerIntegral(TaskContext context) {
    this.context = context;
  }

  /**
   * Checks what the devices took since the first call.
   *
   * @throws IllegalStateException when the two sums differ
   */
  void check() {
    long now = context.engine().now();
    double seconds = Ticks.toSeconds(now);
    double reported = Arrays.stream(context.costs().cost(seconds).deviceJoulesByClass()).sum();
    if (tick == Ticks.NEVER) {
      joules = reported;
    } else {
      joules += watts * Ticks.toSeconds(now - tick);
    }
    tick = now;
    watts = watts();
    if (Math.abs(reported - joules) > TOLERANCE * Math.max(1, joules)) {
      throw new IllegalStateException(
          "devices took " + joules + " J by their power, " + reported + " J by their busy time");
    }
  }

  private double watts() {
    VirtualCluster cluster = context.cluster();
    double watts = 0;
    for (int v = 0; v < cluster.volumeCount(); v++) {
      Volume volume = cluster.volume(v);
      boolean busy = context.transfers().network().used(volume.resource()) > 0;
      watts += busy ? volume.device().wattsActive() : volume.device().wattsIdle();
    }
    return watts;
  }
}
