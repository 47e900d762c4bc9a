package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a short command of the machine's and waits for it, at most {@value #SECONDS_MAX} s. */
final class HostCommand {
  private static final int SECONDS_MAX = 60;

  private HostCommand() {}

  /** How a command ended and what it printed, both streams in one. */
  record Result(int exitCode, String output) {
    boolean succeeded() {
      return exitCode == 0;
    }
  }

  /**
   * Runs a command that must succeed, and returns what it printed.
   *
   * @throws OperatorException with the command and its message when it fails
   */
  static String run(String... command) {
    Result result = attempt(command);
    if (!result.succeeded()) {
      throw OperatorException.cluster(
          "'" + String.join(" ", command) + "' failed: " + oneLine(result.output()), null);
    }
    return result.output();
  }

  /** Runs a command that may fail. */
  static Result attempt(String... command) {
    try {
      List<String> resolved = new ArrayList<>(List.of(command));
      find(command[0]).ifPresent(path -> resolved.set(0, path.toString()));
      Process process = new ProcessBuilder(resolved).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw OperatorException.cluster(
            "'" + String.join(" ", command) + "' did not end in " + SECONDS_MAX + " s", null);
      }
      return new Result(process.exitValue(), output);
    } catch (IOException e) {
      throw OperatorException.cluster("cannot run " + List.of(command) + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw OperatorException.cluster(
          "interrupted while '" + String.join(" ", command) + "' ran", e);
    }
  }

  /** Where a tool is: on the path, or where administrators' tools are when sudo left them out. */
  static Optional<Path> find(String tool) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream((path + ":/usr/sbin:/sbin").split(":"))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String oneLine(String output) {
    return output.strip().replaceAll("\\s*\\n\\s*", "; ");
  }
}
