package io.tierwise.cli.file;

import io.tierwise.hadoop.mover.MoverSettings;
import picocli.CommandLine.Option;

/** Limits the share of a cluster that moves take; mixed into every command that moves replicas. */
public final class MoveOptions extends MoveLimitOptions {
  @Option(
      names = "--yield-shuffle",
      paramLabel = "MB",
      defaultValue = "25",
      description = "Megabytes a second; the same for shuffles; 0: never (default: 25).")
  private int yieldShuffle;

  @Override
  public MoverSettings settings() {
    return settings(yieldShuffle);
  }
}
