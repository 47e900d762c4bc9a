package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Which folder the testbed of a name stands in, in {@code /run}: what is left after a kill is found
 * again without being told where it was.
 */
public final class FolderRecord {
  private FolderRecord() {}

  private static Path file(String testbedName) {
    return Path.of("/run", "tierwise-testbed-" + testbedName + ".folder");
  }

  public static Optional<Path> read(String testbedName) {
    Path file = file(testbedName);
    try {
      return Files.exists(file)
          ? Optional.of(Path.of(Files.readString(file).strip()))
          : Optional.empty();
    } catch (IOException e) {
      throw OperatorException.cluster("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  public static void write(String testbedName, Path folder) {
    try {
      Files.writeString(file(testbedName), folder + "\n");
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot write " + file(testbedName) + ": " + e.getMessage(), e);
    }
  }

  public static void delete(String testbedName) {
    try {
      Files.deleteIfExists(file(testbedName));
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot delete " + file(testbedName) + ": " + e.getMessage(), e);
    }
  }
}
