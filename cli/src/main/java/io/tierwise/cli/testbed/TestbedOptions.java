package io.tierwise.cli.testbed;

import io.tierwise.lab.testbed.Testbed;
import io.tierwise.lab.testbed.host.FolderRecord;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** The testbed that a command is about. */
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

  Testbed testbed(Consumer<String> progress) {
    return new Testbed(name, FolderRecord.choose(name, folder), progress);
  }
}
