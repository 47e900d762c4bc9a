package io.tierwise.cli.file;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.MoveTarget;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Where replicas are to move: to a layout, or so many of them to a tier or a region. */
final class TargetOptions {
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

  /** Replicas that go to a tier. */
  private static final class ToTier {
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
  }

  /** Replicas that go from a region to another one. */
  private static final class ToRegion {
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
  }

  /**
   * The target that the options describe.
   *
   * @param given the replicas of each block that go to a tier or a region; null for one
   */
  MoveTarget target(Integer given) {
    if (layout != null && given != null) {
      throw OperatorException.badInput(
          "--replicas " + given + " belongs to --to-tier and --to-region: --to says how many");
    }
    int replicas = given == null ? 1 : given;
    if (toTier != null) {
      return new MoveTarget.ToTier(toTier.from, toTier.to, replicas);
    }
    return toRegion != null
        ? new MoveTarget.ToRegion(toRegion.from, toRegion.to, replicas)
        : new MoveTarget.ToLayout(layout);
  }
}
