package io.tierwise.cli.profile;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the catalog is; mixed into every command that uses it. */
final class CatalogOptions {
  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      description = "The catalog of runs (default: ~/.tierwise/profiles.db).")
  private Path file;

  Path file() {
    return file == null
        ? Path.of(System.getProperty("user.home"), ".tierwise", "profiles.db")
        : file;
  }
}
