package io.tierwise.cli.bench;

import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
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

  /** The same, made before a word is said and a cluster started. */
  Path made() {
    try {
      Files.createDirectories(directory);
      if (!Files.isWritable(directory)) {
        throw new AccessDeniedException(directory.toString());
      }
      return directory;
    } catch (IOException e) {
      throw OperatorException.cluster(
          "--output "
              + directory
              + " cannot be written to ("
              + FileReason.of(e)
              + "): name a folder of yours",
          e);
    }
  }
}
