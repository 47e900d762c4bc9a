/**
 * Movement: which replicas of a stored block should change their volume, so that the block becomes
 * what its layout wants, and in which order.
 *
 * <p>Not here: who moves them and how fast, and what a layout is ({@link
 * io.tierwise.policies.placement}). Start reading at {@link
 * io.tierwise.policies.movement.LayoutMovement}.
 */
package io.tierwise.policies.movement;
