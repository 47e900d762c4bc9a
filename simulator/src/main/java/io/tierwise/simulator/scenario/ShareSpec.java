package io.tierwise.simulator.scenario;

/**
 * The share of the first zone that follows the use of the cluster's files.
 *
 * @param windowSeconds between two choices
 * @param holdWindows for which a share is kept
 * @param gainMin of the time that another share has to save
 * @param keptFreeShare of each volume, that a zone has no room for
 */
public record ShareSpec(
    double windowSeconds, int holdWindows, double gainMin, double keptFreeShare) {}
