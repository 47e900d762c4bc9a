package io.tierwise.cli.bench;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a demo writes; mixed into each. */
final class DemoFolder {
  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where the results go (default: ${DEFAULT-VALUE}).",
      defaultValue = "build/demo")
  private Path directory;

  Path path() {
    return directory;
  }
}
