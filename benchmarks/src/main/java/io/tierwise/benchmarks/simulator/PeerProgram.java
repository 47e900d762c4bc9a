package io.tierwise.benchmarks.simulator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another simulator, in a process of its own, that prints one line of numbers. */
final class PeerProgram {
  private static final long MINUTES_MAX = 15;

  private final List<String> command;

  PeerProgram(String... command) {
    this.command = List.of(command);
  }

  /** Runs the program; returns the numbers of its line. */
  double[] run(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of(arguments));
    Path output = Files.createTempFile("peer", ".txt");
    try {
      Process process =
          new ProcessBuilder(words)
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end within " + MINUTES_MAX + " minutes");
      }
      if (process.exitValue() != 0) {
        throw new IOException(command + " ended with exit code " + process.exitValue());
      }
      String[] numbers = Files.readString(output).strip().split(" ", -1);
      double[] values = new double[numbers.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = Double.parseDouble(numbers[i]);
      }
      return values;
    } finally {
      Files.delete(output);
    }
  }
}
