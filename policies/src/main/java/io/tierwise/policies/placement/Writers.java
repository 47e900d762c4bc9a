package io.tierwise.policies.placement;

import io.tierwise.core.view.ClusterView;

/** Where a request's writer stands. */
final class Writers {
  private Writers() {}

  /** The writer's rack, or {@link ClusterView#NONE} when nobody knows it. */
  static int rack(PlacementRequest request, ClusterView view) {
    return request.writerNode() == ClusterView.NONE
        ? request.writerRack()
        : view.rackOfNode(request.writerNode());
  }

  /** The writer's region, or {@link ClusterView#NONE} when nobody knows it. */
  static int region(PlacementRequest request, ClusterView view) {
    int rack = rack(request, view);
    return rack == ClusterView.NONE ? ClusterView.NONE : view.regionOfRack(rack);
  }
}
