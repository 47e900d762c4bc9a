package io.tierwise.lab.testbed.host;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Remembers in {@code /run} the folder in which the testbed of a name stands, so that the rest of a
 * killed one is found again without being told where it was.
 */
public final class FolderRecord {
  private FolderRecord() {}

  private static Path file(String testbedName) {
    return Path.of("/run", "tierwise-testbed-" + testbedName + ".folder");
  }

  /**
   * The folder of a testbed, made absolute, as mount points are.
   *
   * @param wanted null: where it stands, else the project's build folder
   */
  public static Path choose(String testbedName, Path wanted) {
    if (!testbedName.matches("[a-z][a-z0-9]{0,7}")) {
      throw new IllegalArgumentException(
          "--name is " + testbedName + ": must be 1 to 8 of a-z and 0-9, a letter first");
    }
    Path chosen = wanted;
    if (chosen == null) {
      Path home = Path.of(System.getProperty("tierwise.home", "."));
      chosen = read(testbedName).orElse(home.resolve("build").resolve("testbed"));
    }
    return chosen.toAbsolutePath().normalize();
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
