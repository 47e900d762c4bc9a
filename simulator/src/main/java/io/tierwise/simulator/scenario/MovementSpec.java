package io.tierwise.simulator.scenario;

import io.tierwise.policies.movement.MovementLimits;

/**
 * Stored files get another policy, and what is stored of them moves to where it wants them: {@code
 * tierwise policy set PATH --placement ... --apply}.
 *
 * @param atSeconds since the start; a movement whose time has come waits for the one before it
 * @param path of files, or of directories above them; {@code *} stands for any part of a name
 * @param placement the new policy, for {@code PlacementPolicies.parse}
 * @param apply whether what is stored moves; else the policy alone changes, and a monitor may
 *     repair
 * @param heartbeatSeconds between two heartbeats of a DataNode
 */
public record MovementSpec(
    double atSeconds,
    String path,
    String placement,
    boolean apply,
    MovementLimits limits,
    double heartbeatSeconds) {
  /** HDFS's default ({@code dfs.heartbeat.interval}). */
  public static final double HEARTBEAT_SECONDS = 3;

  /** On a cluster with HDFS's own heartbeats. */
  public MovementSpec(double atSeconds, String path, String placement, MovementLimits limits) {
    this(atSeconds, path, placement, limits, HEARTBEAT_SECONDS);
  }

  /** One that is applied. */
  public MovementSpec(
      double atSeconds,
      String path,
      String placement,
      MovementLimits limits,
      double heartbeatSeconds) {
    this(atSeconds, path, placement, true, limits, heartbeatSeconds);
  }
}
