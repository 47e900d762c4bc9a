package io.tierwise.policies.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.view.ClusterView;

class RandomPlacementTest extends PlacementContract {
  private final PlacementPolicy anywhere = new RandomPlacement(true);

  @Override
  protected PlacementPolicy policy() {
    return anywhere;
  }

  @Override
  protected void assertRestored(int lost, int restored, ClusterView view) {
    assertThat(restored).as("any tier does").isNotEqualTo(ClusterView.NONE);
  }

  @Override
  protected void assertKept(int[] three, int[] left, ClusterView view) {
    assertThat(left).hasSize(3);
  }
}
