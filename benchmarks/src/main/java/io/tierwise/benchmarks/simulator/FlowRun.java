package io.tierwise.benchmarks.simulator;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.network.FlowNetwork;
import io.tierwise.simulator.network.FlowsScenario;
import java.util.Arrays;

/** One run of the common scenario on our network. */
final class FlowRun {
  private final FlowsScenario scenario;
  private final Engine engine = new Engine();
  private final FlowNetwork network = new FlowNetwork(engine, (flow, tag) -> {});
  private final int[] path = new int[FlowsScenario.PATH_MAX];
  private final double[] unitsPerByte = new double[FlowsScenario.PATH_MAX];
  private final int starter = engine.register(this::start);

  FlowRun(FlowsScenario scenario) {
    this.scenario = scenario;
    Arrays.fill(unitsPerByte, 1);
    scenario.addResources(network);
    engine.at(scenario.startTick(0), starter, 0);
  }

  /** Runs to the end; returns the makespan in seconds. */
  double run() {
    engine.runUntil(Ticks.NEVER);
    if (network.finishedFlows() != scenario.flowCount()) {
      throw new IllegalStateException("only " + network.finishedFlows() + " flows ended");
    }
    return Ticks.toSeconds(engine.now());
  }

  /** Runs the first instant only; of a burst, all flows are then live. */
  FlowNetwork startOnly() {
    engine.runUntil(scenario.startTick(0));
    return network;
  }

  private void start(long flow) {
    int i = (int) flow;
    int length = scenario.path(i, path);
    network.start(path, unitsPerByte, length, scenario.bytes(i), Double.POSITIVE_INFINITY, flow);
    if (i + 1 < scenario.flowCount()) {
      engine.at(scenario.startTick(i + 1), starter, flow + 1);
    }
  }
}
