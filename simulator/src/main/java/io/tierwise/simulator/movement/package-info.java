/**
 * The host of movement: the plans of {@link io.tierwise.policies.movement} made as throttled flows
 * that compete with jobs for devices and links.
 *
 * <p>Not here: which replica moves where, and how moves take turns; both are the classes that the
 * mover of a running cluster asks. Start reading at {@link
 * io.tierwise.simulator.movement.MovementHost}.
 */
package io.tierwise.simulator.movement;
