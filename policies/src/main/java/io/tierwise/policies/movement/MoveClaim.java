package io.tierwise.policies.movement;

/**
 * The share of a cluster that a move takes; places are whatever the host knows nodes and volumes
 * by.
 *
 * @param to the node that writes
 * @param source the node that reads; may be the same
 * @param toVolume the volume that is written
 * @param sourceVolume the volume that is read
 */
public record MoveClaim<P>(P to, P source, P toVolume, P sourceVolume, long bytes) {}
