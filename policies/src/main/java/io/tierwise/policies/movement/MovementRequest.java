package io.tierwise.policies.movement;

import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Objects;

/**
 * A stored block and what it should become.
 *
 * @param wanted the policy whose layout the block should have
 * @param file the block's file, with its number of replicas
 * @param blockBytes of one replica
 * @param volumes of the live replicas, distinct; an id may be {@code ClusterView.NONE} for a
 *     replica that the view does not know
 */
public record MovementRequest(
    PlacementPolicy wanted, FileView file, long blockBytes, int[] volumes, EngineRules rules) {
  public MovementRequest {
    Objects.requireNonNull(wanted, "wanted");
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(volumes, "volumes");
    Objects.requireNonNull(rules, "rules");
    if (blockBytes < 0) {
      throw new IllegalArgumentException("blockBytes " + blockBytes + " must not be negative");
    }
  }
}
