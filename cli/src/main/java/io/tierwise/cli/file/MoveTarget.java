package io.tierwise.cli.file;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where replicas are to move: to a layout, or so many of them to a tier or a region. */
final class MoveTarget {
  @Option(
      names = "--to",
      required = true,
      paramLabel = "LAYOUT",
      description = {
        "A layout, for example \"1 x ssd + 2 x disk\", or a placement policy.",
        "With 'policy' the stored blocks of each file follow the policy that it is under."
      })
  private String layout;

  @ArgGroup(exclusive = false)
  private ToTier toTier;

  @ArgGroup(exclusive = false)
  private ToRegion toRegion;

  /** A layout's text; null when it is a tier or a region. */
  String layout() {
    return layout;
  }

  /** Null when it is no tier. */
  ToTier toTier() {
    return toTier;
  }

  /** Null when it is no region. */
  ToRegion toRegion() {
    return toRegion;
  }

  /** What was asked for, for people. */
  String text() {
    if (toTier != null) {
      return toTier.from == null
          ? "tier " + toTier.to
          : "tier " + toTier.to + " from " + toTier.from;
    }
    return toRegion != null ? "region " + toRegion.to + " from " + toRegion.from : layout;
  }

  /** Replicas that go to a tier. */
  static final class ToTier {
    @Option(
        names = "--to-tier",
        required = true,
        paramLabel = "TIER",
        description = "Have --replicas of the layout in that tier, and move them there.")
    private String to;

    @Option(
        names = "--from-tier",
        paramLabel = "TIER",
        description =
            "With --to-tier: the tier that they leave. Without it those come that are in the"
                + " farthest tiers, and those that are there count.")
    private String from;

    String to() {
      return to;
    }

    /** Null for any tier. */
    String from() {
      return from;
    }
  }

  /** Replicas that go from a region to another one. */
  static final class ToRegion {
    @Option(
        names = "--to-region",
        required = true,
        paramLabel = "REGION",
        description = "Have --replicas of the layout in that region, and move them there.")
    private String to;

    @Option(
        names = "--from-region",
        required = true,
        paramLabel = "REGION",
        description = "With --to-region: the region that they leave.")
    private String from;

    String to() {
      return to;
    }

    String from() {
      return from;
    }
  }
}
