package io.tierwise.simulator.jobs;

import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;

/** How fast a task computes. */
final class Compute {
  private Compute() {}

  /** Bytes per second that one core follows; infinite when a byte costs nothing. */
  static double bytesPerSecond(NodeSpec node, double cyclesPerByte) {
    return cyclesPerByte > 0 ? node.cyclesPerSecond() / cyclesPerByte : Double.POSITIVE_INFINITY;
  }
}
