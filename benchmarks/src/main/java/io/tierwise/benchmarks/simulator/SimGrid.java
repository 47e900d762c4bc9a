package io.tierwise.benchmarks.simulator;

import io.tierwise.simulator.network.FlowsScenario;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** SimGrid's kernel on the common scenario. */
final class SimGrid {
  private final PeerProgram program;

  /** Runs {@code program}, which the script builds where SimGrid is installed. */
  SimGrid(String program) {
    this.program = new PeerProgram(program);
  }

  /** Processor seconds of the simulation phase, and when the last flow ended. */
  record Outcome(double cpuSeconds, double makespanSeconds) {}

  Outcome run(FlowsScenario scenario) throws IOException, InterruptedException {
    Path flows = Files.createTempFile("flows", ".csv");
    try {
      try (BufferedWriter writer = Files.newBufferedWriter(flows)) {
        for (int i = 0; i < scenario.flowCount(); i++) {
          writer.write(scenario.line(i));
          writer.write('\n');
        }
      }
      double[] line = program.run(String.valueOf(scenario.nodeCount()), flows.toString());
      return new Outcome(line[1], line[2]);
    } finally {
      Files.delete(flows);
    }
  }
}
