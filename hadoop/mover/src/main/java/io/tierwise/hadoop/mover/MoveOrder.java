package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.inspect.cluster.NamespaceWalk;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.List;
import java.util.Optional;

/**
 * An order to move files, and where to.
 *
 * @param paths files and directories, as the NameNode knows them; one below another is left out
 * @param layout that all blocks below them should have; empty where each should follow the policy
 *     that its file is under
 */
public record MoveOrder(List<String> paths, Optional<PlacementPolicy> layout) {
  public MoveOrder {
    paths = NamespaceWalk.outermost(paths);
  }
}
