package io.tierwise.cli.file;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.MoverSettings;
import picocli.CommandLine.Option;

/** How much of a cluster moves may take; mixed into every command that moves replicas. */
public final class MoveOptions {
  private static final long MEGABYTE = 1_000_000;

  @Option(
      names = "--bandwidth",
      paramLabel = "MB",
      defaultValue = "25",
      description = "Megabytes a second of each node, for moves (default: ${DEFAULT-VALUE}).")
  private int bandwidth;

  @Option(
      names = "--bandwidth-total",
      paramLabel = "MB",
      defaultValue = "250",
      description = "Megabytes a second of all moves together (default: ${DEFAULT-VALUE}).")
  private int total;

  @Option(
      names = "--moves-per-node",
      paramLabel = "N",
      defaultValue = "4",
      description = "Moves of a node at once (default: ${DEFAULT-VALUE}).")
  private int movesPerNode;

  @Option(
      names = "--keep-free",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description = "Of each volume's capacity, what moves leave free (default: ${DEFAULT-VALUE}).")
  private double keepFree;

  /**
   * The bounds that the options describe.
   *
   * @throws OperatorException when one makes no sense
   */
  public MoverSettings settings() {
    require("--bandwidth", bandwidth);
    require("--bandwidth-total", total);
    require("--moves-per-node", movesPerNode);
    if (!(keepFree >= 0 && keepFree < 100)) {
      throw OperatorException.badInput(
          "--keep-free " + keepFree + " is no percentage below 100: give 0 to 99");
    }
    return MoverSettings.DEFAULT
        .atRates(bandwidth * MEGABYTE, total * MEGABYTE)
        .withMovesPerNode(movesPerNode)
        .keepingFree(keepFree / 100);
  }

  private static void require(String option, int value) {
    if (value < 1) {
      throw OperatorException.badInput(option + " " + value + " is too little: give 1 or more");
    }
  }
}
