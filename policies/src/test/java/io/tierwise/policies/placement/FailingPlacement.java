package io.tierwise.policies.placement;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import java.util.random.RandomGenerator;

/** Throws whatever it is asked: for tests of hosts. */
public record FailingPlacement(Error planted) implements PlacementPolicy {
  @Override
  public String name() {
    return "failing";
  }

  @Override
  public Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
    throw planted;
  }

  @Override
  public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
    throw planted;
  }
}
