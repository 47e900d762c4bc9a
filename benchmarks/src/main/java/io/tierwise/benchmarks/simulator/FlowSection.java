package io.tierwise.benchmarks.simulator;

import static io.tierwise.simulator.network.FlowsScenario.Arrivals.BURST;
import static io.tierwise.simulator.network.FlowsScenario.Arrivals.HALF;
import static io.tierwise.simulator.network.FlowsScenario.Arrivals.STEADY;

import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.network.FlowsScenario;
import io.tierwise.simulator.network.FlowsScenario.Arrivals;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The common scenario: our network, a plain full solver, SimGrid. */
final class FlowSection implements Section {
  private static final long SEED = 42;

  /** A size of the scenario, and beside whom it is measured. */
  private record Case(
      int nodes, int flows, Arrivals arrivals, int rounds, boolean besideFull, boolean besidePeer) {
    String label() {
      return nodes + " nodes, " + flows / 1000 + "k, " + arrivals.name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Case[] CASES = {
    new Case(100, 10_000, HALF, 7, true, true),
    new Case(100, 10_000, STEADY, 7, true, true),
    new Case(100, 10_000, BURST, 3, true, false),
    new Case(1_000, 100_000, HALF, 5, false, true),
    new Case(1_000, 100_000, STEADY, 3, false, false),
    new Case(10_000, 1_000_000, HALF, 3, false, false),
  };

  private final Optional<SimGrid> simGrid;

  FlowSection(Optional<SimGrid> simGrid) {
    this.simGrid = simGrid;
  }

  @Override
  public void measure(Figures figures) throws IOException, InterruptedException {
    System.out.printf(
        "%-26s %-28s %10s %12s %10s%n", "flows", "ours, flows/s", "full", "SimGrid", "makespans");
    for (Case next : CASES) {
      measure(next, figures);
    }
    if (simGrid.isEmpty()) {
      figures.addMissing("ratio_simgrid");
      System.out.println("SimGrid: not measured: install libsimgrid-dev and g++ (Debian)");
    }
    double small = figures.measured().get("flows_100_half_per_second");
    figures.add("ratio_size", figures.measured().get("flows_10000_half_per_second") / small);
    figures.add("flows_10000_peak_mebibytes", peakMebibytes());
    figures.add("bytes_per_live_flow", bytesPerLiveFlow());
    System.out.println();
  }

  private void measure(Case size, Figures figures) throws IOException, InterruptedException {
    FlowsScenario scenario = new FlowsScenario(size.nodes(), size.flows(), size.arrivals(), SEED);
    double[] makespan = new double[1];
    int warmUp = size.flows() > 100_000 ? 1 : 2;
    Rounds ours = Rounds.of(warmUp, size.rounds(), () -> makespan[0] = new FlowRun(scenario).run());
    String arrivals = size.arrivals().name().toLowerCase(Locale.ROOT);
    figures.add(
        "flows_" + size.nodes() + "_" + arrivals + "_per_second", ours.perSecond(size.flows()));
    String full = "";
    String peer = "";
    String agreement = "";
    if (size.besideFull()) {
      int count = size.arrivals() == BURST ? size.rounds() : 1;
      Rounds rounds = Rounds.of(1, count, () -> new FullSolver(scenario).run());
      full = String.format(Locale.ROOT, "%,.0f", rounds.perSecond(size.flows()));
      if (size.arrivals() == BURST) {
        // The fastest of each: what else runs on the machine can only make a round slower.
        figures.add("ratio_full_burst", rounds.least() / ours.least());
      }
    }
    if (size.besidePeer() && simGrid.isPresent()) {
      SimGrid.Outcome outcome = simGrid.get().run(scenario);
      double difference = Math.abs(outcome.makespanSeconds() - makespan[0]);
      peer = String.format(Locale.ROOT, "%,.0f", size.flows() / outcome.cpuSeconds());
      agreement = String.format(Locale.ROOT, "%.0e s", difference);
      figures.add(
          "simgrid_makespan_difference_" + size.nodes() + "_" + arrivals, difference / makespan[0]);
      if (size.nodes() == 1_000) {
        figures.add("ratio_simgrid", outcome.cpuSeconds() / ours.median());
      }
    }
    System.out.printf(
        "%-26s %-28s %10s %12s %10s%n",
        size.label(), ours.rates(size.flows()), full, peer, agreement);
  }

  /** The greatest resident memory so far; the largest case was the last. */
  private static double peakMebibytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Double.parseDouble(line.replaceAll("[^0-9]", "")) / 1024;
      }
    }
    return Double.NaN;
  }

  /** Heap that 100,000 live flows take with all that was needed to divide for them. */
  private static double bytesPerLiveFlow() {
    int flows = 100_000;
    FlowsScenario scenario = new FlowsScenario(1_000, flows, BURST, SEED);
    long empty = usedBytes();
    FlowRun run = new FlowRun(scenario);
    try {
      FlowNetwork network = run.startOnly();
      return (usedBytes() - empty) / (double) network.flowCount();
    } finally {
      Reference.reachabilityFence(run);
    }
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
