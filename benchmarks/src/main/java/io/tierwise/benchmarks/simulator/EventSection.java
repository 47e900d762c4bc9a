package io.tierwise.benchmarks.simulator;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.engine.Ticks;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The event loop alone, by the hold model: every event schedules its successor after an exponential
 * delay of one second in the mean, so that the number of pending events stays as it was.
 */
final class EventSection implements Section {
  private static final int[] PENDING = {1_000, 100_000, 1_000_000};
  private static final int EVENTS = 10_000_000;

  /** Drawn beforehand: random numbers are not what is measured. */
  private static final int DELAYS = 1 << 16;

  /** SimPy needs seconds for this many. */
  private static final int SIMPY_EVENTS = 300_000;

  private final Optional<PeerProgram> simPy;

  EventSection(Optional<PeerProgram> simPy) {
    this.simPy = simPy;
  }

  @Override
  public void measure(Figures figures) throws IOException, InterruptedException {
    System.out.printf("%-26s %-38s %10s%n", "event loop", "ours, events/s", "SimPy");
    for (int pending : PENDING) {
      Rounds rounds = Rounds.of(2, 5, () -> hold(pending));
      String peer = "";
      if (simPy.isPresent() && pending <= 100_000) {
        double seconds = simPy.get().run(String.valueOf(pending), String.valueOf(SIMPY_EVENTS))[0];
        peer = String.format(Locale.ROOT, "%,.0f", SIMPY_EVENTS / seconds);
        if (pending == 100_000) {
          figures.add("ratio_simpy", rounds.perSecond(EVENTS) * seconds / SIMPY_EVENTS);
        }
      }
      if (pending == 100_000) {
        figures.add("events_per_second", rounds.perSecond(EVENTS));
      }
      System.out.printf(
          Locale.ROOT, "%-26s %-38s %10s%n", pending + " pending", rounds.rates(EVENTS), peer);
    }
    if (simPy.isEmpty()) {
      figures.addMissing("ratio_simpy");
      System.out.println("SimPy: not measured: install it (pip install simpy)");
    }
    System.out.println();
  }

  private static void hold(int pending) {
    RandomGenerator random = new RandomStreams(42).stream("hold", pending);
    long[] delays = new long[DELAYS];
    for (int i = 0; i < DELAYS; i++) {
      delays[i] = Ticks.ofSeconds(-Math.log(1 - random.nextDouble()));
    }
    Engine engine = new Engine();
    int[] handler = new int[1];
    int[] handled = new int[1];
    handler[0] =
        engine.register(
            argument -> {
              engine.at(engine.now() + delays[handled[0]++ & (DELAYS - 1)], handler[0], argument);
              if (handled[0] == EVENTS) {
                engine.stop();
              }
            });
    for (int i = 0; i < pending; i++) {
      engine.at(delays[i & (DELAYS - 1)], handler[0], i);
    }
    engine.runUntil(Ticks.NEVER);
  }
}
