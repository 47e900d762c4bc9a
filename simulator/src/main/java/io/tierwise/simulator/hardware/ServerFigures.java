package io.tierwise.simulator.hardware;

/**
 * The published figures of a server.
 *
 * @param wattsIdle powered, no load
 * @param wattsBusy with all cores busy
 */
public record ServerFigures(
    String name,
    String processor,
    int cores,
    double memoryGigabytes,
    double wattsIdle,
    double wattsBusy,
    String source) {}
