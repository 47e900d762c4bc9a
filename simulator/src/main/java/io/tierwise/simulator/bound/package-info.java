/**
 * What could be reached at best: how fast reads could be whatever replicas they are read from, from
 * devices, links and where replicas are. It decides nothing, and nothing that decides asks it.
 *
 * <p>Start reading at {@link io.tierwise.simulator.bound.ReadBound}.
 */
package io.tierwise.simulator.bound;
