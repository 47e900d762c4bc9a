package com.example.policies;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.core.action.Place;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementProvider;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.text.SpecReader;
import java.util.random.RandomGenerator;

/** The first blocks of each new file, such as headers, in the fastest tier, all others anywhere. */
public record FirstBlocksPlacement(int blocks, PlacementPolicy first, PlacementPolicy others)
    implements PlacementPolicy {
  @Override
  public String name() {
    return "first-blocks:blocks=" + blocks;
  }

  @Override
  public Place place(PlacementRequest asked, ClusterView view, RandomGenerator random) {
    // A host that copies a block does not know which one it is: copies may go anywhere.
    boolean isNew = asked.existingVolumes().length == 0;
    PlacementPolicy policy = isNew && asked.file().dataSetBlockIndex() < blocks ? first : others;
    return new Place(name(), policy.place(asked, view, random).choices());
  }

  @Override
  public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
    return others.chooseExcess(volumes, file, replicaCount, view);
  }

  public static final class Provider implements PlacementProvider {
    @Override
    public String name() {
      return "first-blocks";
    }

    @Override
    public String usage() {
      return "first-blocks:blocks=N";
    }

    @Override
    public String summary() {
      return "the first blocks of a file in the fastest tier";
    }

    @Override
    public PlacementPolicy make(SpecReader settings, Context context) {
      String fastest = "network-aware:tiers=" + context.tiers().tier(0).name();
      return new FirstBlocksPlacement(
          settings.integer("blocks", 1, 0, 1_000_000),
          PlacementPolicies.parse(fastest, context.tiers()),
          PlacementPolicies.parse("network-aware", context.tiers()));
    }
  }
}
