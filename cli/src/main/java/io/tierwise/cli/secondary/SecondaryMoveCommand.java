package io.tierwise.cli.secondary;

import io.tierwise.cli.file.JournalOptions;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that moves files, one way or the other. */
abstract class SecondaryMoveCommand extends SecondaryRunCommand {
  @Mixin private JournalOptions journal;

  @Option(names = "--dry-run", description = "Say what would be moved; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--keep-free",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description =
          "Of the capacity of the place that files go to, what stays free (default:"
              + " ${DEFAULT-VALUE}).")
  private double keepFree;

  @Override
  protected double keepFree() {
    return keepFree;
  }

  protected abstract Verb verb();

  @Override
  public Integer call() throws IOException {
    return run(verb(), dryRun, journal);
  }
}
