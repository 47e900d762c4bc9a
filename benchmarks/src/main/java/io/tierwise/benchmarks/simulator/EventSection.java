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

  /** Peers need seconds for this many. */
  private static final int PEER_EVENTS = 300_000;

  /** Both peers take longer the more events are pending; their runs are to end. */
  private static final int PEER_PENDING_MAX = 100_000;

  private final Optional<PeerProgram> simPy;
  private final Optional<PeerProgram> cloudSimPlus;

  EventSection(Optional<PeerProgram> simPy, Optional<PeerProgram> cloudSimPlus) {
    this.simPy = simPy;
    this.cloudSimPlus = cloudSimPlus;
  }

  @Override
  public void measure(Figures figures) throws IOException, InterruptedException {
    System.out.printf(
        "%-26s %-38s %10s %14s%n", "event loop", "ours, events/s", "SimPy", "CloudSim Plus");
    for (int pending : PENDING) {
      Rounds rounds = Rounds.of(2, 5, () -> hold(pending));
      String python = beside(simPy, "ratio_simpy", pending, rounds, figures);
      String java = beside(cloudSimPlus, "ratio_cloudsimplus", pending, rounds, figures);
      if (pending == PEER_PENDING_MAX) {
        figures.add("events_per_second", rounds.perSecond(EVENTS));
      }
      System.out.printf(
          Locale.ROOT,
          "%-26s %-38s %10s %14s%n",
          pending + " pending",
          rounds.rates(EVENTS),
          python,
          java);
    }
    if (simPy.isEmpty()) {
      System.out.println("SimPy: not measured: install it (pip install simpy)");
    }
    if (cloudSimPlus.isEmpty()) {
      System.out.println(
          "CloudSim Plus: not measured: fetch it"
              + " (mvn -f benchmarks/simulator/cloudsimplus dependency:copy-dependencies)");
    }
    System.out.println();
  }

  /** The peer's rate, empty where it is not measured; the ratio at its most events is a figure. */
  private static String beside(
      Optional<PeerProgram> peer, String ratio, int pending, Rounds ours, Figures figures)
      throws IOException, InterruptedException {
    if (peer.isEmpty()) {
      figures.addMissing(ratio);
      return "";
    }
    if (pending > PEER_PENDING_MAX) {
      return "";
    }
    double seconds = peer.get().run(String.valueOf(pending), String.valueOf(PEER_EVENTS))[0];
    if (pending == PEER_PENDING_MAX) {
      figures.add(ratio, ours.perSecond(EVENTS) * seconds / PEER_EVENTS);
    }
    return String.format(Locale.ROOT, "%,.0f", PEER_EVENTS / seconds);
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
