package io.tierwise.cli.testbed;

import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.FolderRecord;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which testbed a command is about. */
final class TestbedOptions {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      defaultValue = "tw",
      description = "Prefix of all that is made on the machine (default: ${DEFAULT-VALUE}).")
  private String name;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Where its files stand (default: where it is up, else build/testbed).")
  private Path folder;

  String name() {
    return name;
  }

  /** The folder in use or asked for, made absolute, as mount points are. */
  Path folder() {
    if (!name.matches("[a-z][a-z0-9]{0,7}")) {
      throw new IllegalArgumentException(
          "--name is " + name + ": must be 1 to 8 of a-z and 0-9, a letter first");
    }
    Path chosen =
        folder != null
            ? folder
            : FolderRecord.read(name)
                .orElse(Path.of(System.getProperty("tierwise.home", "."), "build", "testbed"));
    return chosen.toAbsolutePath().normalize();
  }

  Testbed testbed(PrintWriter out) {
    return new Testbed(
        name,
        folder(),
        line -> {
          out.println(line);
          out.flush();
        });
  }
}
