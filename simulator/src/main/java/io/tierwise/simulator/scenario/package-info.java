/**
 * The scenario of a simulation: cluster, tiers, policies, workload, faults, as a user describes
 * them.
 *
 * <p>Plain immutable data with base units (bytes, seconds, watts, US dollars). Not here: anything
 * that happens. Start reading at {@link io.tierwise.simulator.scenario.Scenario}.
 */
package io.tierwise.simulator.scenario;
