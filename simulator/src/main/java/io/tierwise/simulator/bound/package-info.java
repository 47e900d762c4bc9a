/**
 * Bounds: how fast reads could be at best, given devices, links and the places of replicas. Nothing
 * is decided here, and no policy asks for a bound.
 *
 * <p>Start reading at {@link io.tierwise.simulator.bound.ReadBound}.
 */
package io.tierwise.simulator.bound;
