package io.tierwise.cli.file;

import io.tierwise.hadoop.mover.MoverSettings;
import picocli.CommandLine.Option;

/**
 * Limits the share of a cluster that moves take, also of a virtual one, whose nodes tell of no
 * shuffle.
 */
public class MoveLimitOptions {
  @Option(
      names = "--bandwidth",
      paramLabel = "MB",
      defaultValue = "25",
      description = "Megabytes a second of each node, for moves (default: ${DEFAULT-VALUE}).")
  private int bandwidth;

  @Option(
      names = "--bandwidth-volume",
      paramLabel = "MB",
      description = "Megabytes a second of each volume, for moves (default: as its node).")
  private Integer ofVolume;

  @Option(
      names = "--bandwidth-total",
      paramLabel = "MB",
      defaultValue = "250",
      description = "Megabytes a second of all moves together (default: ${DEFAULT-VALUE}).")
  private int total;

  @Option(
      names = "--moves-per-second",
      paramLabel = "N",
      description =
          "Moves that a node begins in a second; 0: any number (default: one for each 5 MB of"
              + " --bandwidth, at least 5).")
  private Integer movesPerSecond;

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

  @Option(
      names = "--yield-above",
      paramLabel = "N",
      defaultValue = "16",
      description = "Moves yield at nodes with more other transfers; 0: never (default: 16).")
  private int yieldAbove;

  /** The bounds that the options describe. */
  public MoverSettings settings() {
    return settings(0);
  }

  final MoverSettings settings(int yieldShuffle) {
    int volume = ofVolume == null ? bandwidth : ofVolume;
    int moves =
        movesPerSecond == null ? MoverSettings.usualMovesPerSecond(bandwidth) : movesPerSecond;
    return MoverSettings.of(
        new MoverSettings.Rates(bandwidth, volume, total, moves),
        movesPerNode,
        keepFree,
        new MoverSettings.YieldAbove(yieldAbove, yieldShuffle));
  }
}
