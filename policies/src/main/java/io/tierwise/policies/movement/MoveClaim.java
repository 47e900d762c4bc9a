package io.tierwise.policies.movement;

/**
 * The nodes and volumes that a move uses, in whatever type the host names them.
 *
 * @param to the node that writes
 * @param source the node that reads; may be the same
 * @param toVolume the volume that is written
 * @param sourceVolume the volume that is read
 */
public record MoveClaim<P>(P to, P source, P toVolume, P sourceVolume, long bytes) {}
