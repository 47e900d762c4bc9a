package io.tierwise.cli.file;

import picocli.CommandLine.Option;

/** A tier or a region, one of them. */
final class TierOrRegion {
  /** Null when it is a region. */
  @Option(names = "--tier", required = true, paramLabel = "TIER", description = "The tier's name.")
  String tier;

  /** Null when it is a tier. */
  @Option(
      names = "--region",
      required = true,
      paramLabel = "REGION",
      description = "The region's name; 'tierwise file where' shows them.")
  String region;
}
