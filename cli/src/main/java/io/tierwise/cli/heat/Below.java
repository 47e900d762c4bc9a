package io.tierwise.cli.heat;

import io.tierwise.core.message.OperatorException;
import picocli.CommandLine.Option;

/** The number of rows, and the directory that they are below. */
final class Below {
  @Option(
      names = "--below",
      paramLabel = "PATH",
      defaultValue = "/",
      description = "Only what is below that directory (default: ${DEFAULT-VALUE}).")
  private String path;

  @Option(
      names = "--count",
      paramLabel = "COUNT",
      defaultValue = "20",
      description = "Rows at most (default: ${DEFAULT-VALUE}).")
  private int count;

  int count() {
    OperatorException.requireAtLeast(1, "--count", count);
    return count;
  }

  String path() {
    return path;
  }
}
