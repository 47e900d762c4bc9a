package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The command that runs the application, as a process of its own. */
final class ApplicationProcess {
  private static final long ENDING_SECONDS_MAX = 10;

  private ApplicationProcess() {}

  /**
   * Runs it to its end.
   *
   * @param environment beside that of this process
   * @param lines takes what it prints
   * @return its exit code
   * @throws StopSign.Stopped when it was stopped, and has ended
   */
  static int run(
      List<String> words, Map<String, String> environment, Consumer<String> lines, StopSign stop)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    Process process = start(builder, environment);
    try {
      process.getOutputStream().close();
      Thread reader = new Thread(() -> copy(process, lines), "profile-output");
      reader.setDaemon(true);
      reader.start();
      stop.await(() -> !process.isAlive(), Double.MAX_VALUE);
      // Nobody waits for what its children still print.
      reader.join(TimeUnit.SECONDS.toMillis(1));
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StopSign.Stopped();
    } finally {
      end(process);
    }
  }

  private static Process start(ProcessBuilder builder, Map<String, String> environment) {
    builder.environment().putAll(environment);
    try {
      return builder.start();
    } catch (IOException e) {
      throw OperatorException.badInput(
          "the command '" + builder.command().get(0) + "' cannot be run: " + e.getMessage());
    }
  }

  /**
   * Runs it to its end with this process's own input and output.
   *
   * @return its exit code
   * @throws StopSign.Stopped when it was stopped, and has ended
   */
  static int runHere(List<String> words, Map<String, String> environment, StopSign stop)
      throws IOException {
    Process process = start(new ProcessBuilder(words).inheritIO(), environment);
    try {
      stop.await(() -> !process.isAlive(), Double.MAX_VALUE);
      return process.exitValue();
    } finally {
      end(process);
    }
  }

  private static void copy(Process process, Consumer<String> lines) {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      in.lines().forEach(lines);
    } catch (IOException | UncheckedIOException e) {
      // The process was ended in the middle of a line.
    }
  }

  private static void end(Process process) {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    children.forEach(ProcessHandle::destroy);
    boolean ended = false;
    try {
      ended = process.waitFor(ENDING_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      process.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }
}
