package io.tierwise.simulator.network;

/**
 * A resource's total throughput as a function of the number of flows on it: a disk loses to seeks
 * what it gains by parallel requests. A pure function.
 */
@FunctionalInterface
public interface ConcurrencyCurve {
  /**
   * Units per second for {@code flowCount} flows, at least 1: not negative, no NaN; infinity is
   * allowed.
   */
  double unitsPerSecond(int flowCount);
}
