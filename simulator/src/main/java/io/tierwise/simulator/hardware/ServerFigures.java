package io.tierwise.simulator.hardware;

/**
 * What is published of a server.
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
