package io.tierwise.cli.file;

import picocli.CommandLine.Option;

/** A tier or a region, one of them. */
final class TierOrRegion {
  @Option(names = "--tier", required = true, paramLabel = "TIER", description = "The tier's name.")
  private String tier;

  @Option(
      names = "--region",
      required = true,
      paramLabel = "REGION",
      description = "The region's name; 'tierwise file where' shows them.")
  private String region;

  /** The tier's name; null when it is a region. */
  String tier() {
    return tier;
  }

  /** The region's name; null when it is a tier. */
  String region() {
    return region;
  }
}
