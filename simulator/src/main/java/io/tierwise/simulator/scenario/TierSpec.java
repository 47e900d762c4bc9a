package io.tierwise.simulator.scenario;

import java.util.List;

/**
 * A tier: all data volumes of a device class.
 *
 * @param device name of the class
 * @param fallback names of the tiers to use, in order, when this one can take no block; empty:
 *     slower ones, then faster ones
 */
public record TierSpec(String name, String device, List<String> fallback) {
  public TierSpec {
    fallback = List.copyOf(fallback);
  }
}
