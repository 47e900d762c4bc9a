package io.tierwise.cli.profile;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where the catalog is; mixed into every command that uses it. */
public final class CatalogOptions {
  @Option(
      names = "--catalog",
      paramLabel = "FILE|URL",
      description =
          "The catalog of runs (default: ~/.tierwise/profiles.db): a file, or a PostgreSQL database"
              + " as postgresql://USER@HOST/DATABASE, whose password PGPASSWORD or ~/.pgpass has.")
  private String where;

  /** Whether somebody named it. */
  public boolean isNamed() {
    return where != null;
  }

  /** A file or a URL. */
  public String where() {
    return where == null
        ? Path.of(System.getProperty("user.home"), ".tierwise", "profiles.db").toString()
        : where;
  }
}
