/**
 * The order and the place of work: a policy answers each offer of a free slot.
 *
 * <p>Not here: where the slots are and what runs in them, which a host knows, and how a slot's task
 * reads and writes. Start reading at {@link io.tierwise.policies.scheduling.SchedulingPolicy};
 * those at hand are in {@link io.tierwise.policies.scheduling.SchedulingPolicies}.
 */
package io.tierwise.policies.scheduling;
