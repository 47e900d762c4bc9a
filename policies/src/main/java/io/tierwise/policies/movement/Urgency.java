package io.tierwise.policies.movement;

import java.util.Locale;

/** Why a stored block should be repaired, the most urgent first. */
public enum Urgency {
  /** A tier or region that the layout names has no replica of the block. */
  MISSING_COPY,
  /** Each has one; a replica went elsewhere when it was written or restored. */
  FALLBACK,
  /** Each has one; a replica too many stands in another tier or region. */
  WRONG_TIER;

  /** The word that metrics use. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
