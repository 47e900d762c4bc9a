package io.tierwise.simulator.jobs;

/**
 * The computing of tasks at a moment, by node. Checks compare it with the sums that are counted
 * when transfers end.
 */
public final class Computing {
  private final double[] cores;
  private final double[] uncountedCoreSeconds;

  Computing(int nodeCount) {
    this.cores = new double[nodeCount];
    this.uncountedCoreSeconds = new double[nodeCount];
  }

  void add(int node, double coresInUse, double coreSeconds) {
    cores[node] += coresInUse;
    uncountedCoreSeconds[node] += coreSeconds;
  }

  /** Cores of the node that compute. */
  public double cores(int node) {
    return cores[node];
  }

  /** Core seconds that the node has computed for transfers that go on, and that no meter has. */
  public double uncountedCoreSeconds(int node) {
    return uncountedCoreSeconds[node];
  }
}
