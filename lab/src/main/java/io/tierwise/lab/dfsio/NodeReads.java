package io.tierwise.lab.dfsio;

import io.tierwise.simulator.bound.ReadBound;
import io.tierwise.simulator.bound.ReadProblem;
import io.tierwise.simulator.network.ConcurrencyCurve;

/**
 * Readers on nodes with devices and one link each, behind a network that limits nobody: to compute
 * what they could reach at best.
 */
public final class NodeReads {
  private final ReadProblem problem = new ReadProblem();
  private final int[] up;
  private final int[] down;
  private int readerNode;

  /**
   * @param linkBytesPerSecond of each node, each way
   */
  public NodeReads(int nodes, double linkBytesPerSecond) {
    up = new int[nodes];
    down = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      up[node] = problem.addResource(linkBytesPerSecond);
      down[node] = problem.addResource(linkBytesPerSecond);
    }
  }

  /** Adds a device of that throughput with so many readers; returns its number. */
  public int addDevice(ConcurrencyCurve bytesPerSecond) {
    return problem.addResource(bytesPerSecond);
  }

  /** From here on blocks are those of another reader's file. */
  public void addReader(int node) {
    readerNode = node;
    problem.addReader();
  }

  /** From here on replicas are those of another block. */
  public void addBlock(double bytes) {
    problem.addBlock(bytes);
  }

  /** Adds a replica on a node's device. */
  public void addReplica(int node, int device) {
    if (node == readerNode) {
      problem.addReplica(device);
    } else {
      problem.addReplica(device, up[node], down[readerNode]);
    }
  }

  /** The best that they could reach, or null when computing it would take too long. */
  public ReadBound bound() {
    return problem.replicaCount() > ReadBound.REPLICAS_MAX ? null : ReadBound.of(problem);
  }
}
