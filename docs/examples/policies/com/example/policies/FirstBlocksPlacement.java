package com.example.policies;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.policies.placement.NetworkAwarePlacement;
import io.tierwise.policies.placement.PlacementDecision;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementProvider;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.text.SpecReader;
import java.util.random.RandomGenerator;

/**
 * The first blocks of each file as one policy says, the others as another: headers on SSD.
 *
 * @param blocks how many
 */
public record FirstBlocksPlacement(int blocks, PlacementPolicy first, PlacementPolicy others)
    implements PlacementPolicy {
  @Override
  public String name() {
    return "first-blocks:blocks=" + blocks;
  }

  private PlacementPolicy of(FileView file) {
    return file.dataSetBlockIndex() < blocks ? first : others;
  }

  @Override
  public PlacementDecision place(
      PlacementRequest request, ClusterView view, RandomGenerator random) {
    PlacementDecision decision = of(request.file()).place(request, view, random);
    return new PlacementDecision(name(), decision.choices());
  }

  @Override
  public int[] chooseExcess(int[] volumes, FileView file, int replicaCount, ClusterView view) {
    return of(file).chooseExcess(volumes, file, replicaCount, view);
  }

  /** Makes it from the text {@code first-blocks:blocks=N}; the fastest tier takes the first. */
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
          new NetworkAwarePlacement());
    }
  }
}
