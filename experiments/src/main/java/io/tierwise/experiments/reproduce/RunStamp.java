package io.tierwise.experiments.reproduce;

import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tells whether a run would come out the same: a hash of its scenario with all defaults and its
 * seed, of the trace that it reads, and of the program. Of files the name, the size and the time of
 * the last change stand for what is in them.
 */
final class RunStamp {
  private static final int DIGITS = 16;

  private final String program;

  RunStamp() {
    StringBuilder text = new StringBuilder();
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      text.append(part.isEmpty() ? "" : files(Path.of(part)));
    }
    program = text.toString();
  }

  /** The stamp of a run of a scenario with its own seed. */
  String of(Scenario scenario) {
    String trace = scenario.workload() instanceof WorkloadSpec.Trace read ? files(read.file()) : "";
    return hash(ScenarioWriter.write(scenario, List.of()) + trace + program);
  }

  private static String files(Path root) {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        text.append(file).append(' ').append(Files.size(file)).append(' ');
        text.append(Files.getLastModifiedTime(file).toMillis()).append('\n');
      }
    } catch (IOException | UncheckedIOException e) {
      // A class path may name what is not there; a trace that is not there ends its run.
      text.append(root).append(" is not there\n");
    }
    return text.toString();
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
