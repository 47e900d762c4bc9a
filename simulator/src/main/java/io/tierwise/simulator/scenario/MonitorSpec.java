package io.tierwise.simulator.scenario;

import io.tierwise.policies.movement.MovementLimits;

/**
 * A monitor that compares stored blocks with their layouts, and a mover that repairs what it finds:
 * {@code tierwise monitor run}.
 *
 * @param intervalSeconds from a walk to the next one
 * @param queueBlocksMax that wait for repair, the most urgent
 * @param untilSeconds since the start: up to then the run goes on, also when all jobs are over
 * @param heartbeatSeconds between two heartbeats of a DataNode
 */
public record MonitorSpec(
    double intervalSeconds,
    int queueBlocksMax,
    double untilSeconds,
    MovementLimits limits,
    double heartbeatSeconds) {}
