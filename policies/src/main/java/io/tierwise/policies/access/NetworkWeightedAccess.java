package io.tierwise.policies.access;

import io.tierwise.core.view.ReadView;
import io.tierwise.policies.text.SpecWriter;

/**
 * Weighted random choice by nearness, oblivious of devices: hatS's network-aware retrieval as it
 * was measured.
 *
 * <p>w = 1 / (1 + c h): h = distance/2 switch levels between reader and replica (0 same node, 1
 * same rack, 2 other rack, 3 other region), c what a level costs. As c grows this becomes {@link
 * NetworkAwareAccess}.
 *
 * <p>Source: hatS, section 4.2.3: retrieval selects a replica by weighted random methods, and the
 * network-aware scheme assigns weights to a DataNode based on its proximity to the client.
 * Deviation: the paper wires fixed numbers in and prints none. Own: c = 1, as {@link HybridAccess}
 * counts levels where it cannot tell seconds. Section 4.1.3.1 describes stock HDFS instead, where
 * the nearest replica is used; that is {@link NetworkAwareAccess}.
 *
 * @param levelCost c, a whole number
 */
public record NetworkWeightedAccess(int levelCost) implements WeightedAccess {
  static final String NAME = "network-weighted";
  static final String LEVEL_COST = "level-cost";
  static final int LEVEL_COST_MAX = 1_000_000;
  static final NetworkWeightedAccess DEFAULT = new NetworkWeightedAccess(1);

  public NetworkWeightedAccess {
    if (levelCost < 1 || levelCost > LEVEL_COST_MAX) {
      throw new IllegalArgumentException(
          LEVEL_COST + " " + levelCost + " is outside 1-" + LEVEL_COST_MAX);
    }
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME).add(LEVEL_COST, levelCost, DEFAULT.levelCost).toString();
  }

  @Override
  public Basis basis(ReadView view) {
    return Basis.RANK;
  }

  @Override
  public double weight(ReadView view, int replica, Basis basis) {
    double switchLevels = Math.max(0, view.distance(replica)) / 2.0;
    return 1 / (1 + levelCost * switchLevels);
  }
}
