package io.tierwise.policies.movement;

/**
 * How much there is to do for devices, as a mean over those of a tier.
 *
 * @param slowStreams transfers under way
 * @param fastStreams likewise
 */
public record TierLoad(double slowStreams, double fastStreams) {
  /** Nothing is under way. */
  public static final TierLoad IDLE = new TierLoad(0, 0);
}
