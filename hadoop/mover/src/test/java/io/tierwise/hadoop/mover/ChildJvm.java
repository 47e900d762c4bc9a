package io.tierwise.hadoop.mover;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process of a test, with the test's class path, that starts fast and logs as it does. */
final class ChildJvm {
  private ChildJvm() {}

  static ProcessBuilder of(Class<?> main, String heap, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }
}
