package io.tierwise.simulator.scenario;

import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.movement.Watermarks;

/**
 * A tier is looked at again and again, and data leaves it when it is too full: {@code tierwise
 * tiers flush}.
 *
 * @param tier its name
 * @param path below which files may leave
 * @param order which files leave first, for {@code FlushOrder.of}
 * @param intervalSeconds from a look to the next one
 * @param heartbeatSeconds between two heartbeats of a DataNode
 */
public record FlushSpec(
    String tier,
    String path,
    Watermarks marks,
    String order,
    double intervalSeconds,
    MovementLimits limits,
    double heartbeatSeconds) {}
