package io.tierwise.benchmarks.simulator;

import io.tierwise.simulator.network.FlowsScenario;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** SimGrid's kernel on the common scenario, in a process of its own. */
final class SimGrid {
  private static final long MINUTES_MAX = 15;

  private final Path program;

  /** Runs {@code program}, which the script builds where SimGrid is installed. */
  SimGrid(Path program) {
    this.program = program;
  }

  /** Processor seconds of the simulation phase, seconds that the flows took, peak memory. */
  record Outcome(double cpuSeconds, double makespanSeconds, double peakMebibytes) {}

  Outcome run(FlowsScenario scenario) throws IOException, InterruptedException {
    Path flows = Files.createTempFile("flows", ".csv");
    Path output = Files.createTempFile("simgrid", ".txt");
    try {
      try (BufferedWriter writer = Files.newBufferedWriter(flows)) {
        for (int i = 0; i < scenario.flowCount(); i++) {
          writer.write(scenario.line(i));
          writer.write('\n');
        }
      }
      Process process =
          new ProcessBuilder(
                  program.toString(), String.valueOf(scenario.nodeCount()), flows.toString())
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException("SimGrid did not end within " + MINUTES_MAX + " minutes");
      }
      String[] words = Files.readString(output).strip().split(" ");
      if (process.exitValue() != 0 || words.length != 4) {
        throw new IOException("SimGrid ended with exit code " + process.exitValue());
      }
      return new Outcome(
          Double.parseDouble(words[1]), Double.parseDouble(words[2]), Double.parseDouble(words[3]));
    } finally {
      Files.delete(flows);
      Files.delete(output);
    }
  }
}
