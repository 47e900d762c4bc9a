package io.tierwise.core.cluster;

import java.util.List;
import java.util.Objects;

/**
 * All volumes of one device class in the cluster, named by the administrator.
 *
 * @param index position in the {@link TierTable}, from 0, fastest first
 * @param name unique, lower case
 * @param deviceClass the measured figures of its volumes
 * @param fallback indexes of the tiers to use, in order, when this one can take no block
 */
public record Tier(int index, String name, DeviceClass deviceClass, List<Integer> fallback) {
  public Tier {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(deviceClass, "deviceClass");
    fallback = List.copyOf(fallback);
  }
}
