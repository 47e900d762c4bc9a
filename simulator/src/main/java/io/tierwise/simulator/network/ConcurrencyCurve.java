package io.tierwise.simulator.network;

/**
 * What a resource delivers in total as a function of how many flows use it: a disk loses to seeks
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
