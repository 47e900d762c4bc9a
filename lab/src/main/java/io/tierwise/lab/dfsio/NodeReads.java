package io.tierwise.lab.dfsio;

import io.tierwise.simulator.bound.ChosenReads;
import io.tierwise.simulator.bound.ReadBound;
import io.tierwise.simulator.bound.ReadProblem;
import io.tierwise.simulator.network.ConcurrencyCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Readers on nodes with devices and one link each, in racks whose uplinks may be a limit: to
 * compute what they could reach at best.
 */
public final class NodeReads {
  private final ReadProblem problem = new ReadProblem();
  private final int[] up;
  private final int[] down;
  private final int[] rackOfNode;

  /** By rack; empty where uplinks limit nobody. */
  private final List<Integer> rackUp = new ArrayList<>();

  private final List<Integer> rackDown = new ArrayList<>();
  private int readerNode;

  /** By reader and block, the node of each replica. */
  private final List<List<List<Integer>>> replicaNodes = new ArrayList<>();

  /**
   * Behind a network that limits nobody.
   *
   * @param linkBytesPerSecond of each node, each way
   */
  public NodeReads(int nodes, double linkBytesPerSecond) {
    this(new int[nodes], linkBytesPerSecond, Double.POSITIVE_INFINITY);
  }

  /**
   * @param rackOfNode by node, from 0
   * @param linkBytesPerSecond of each node, each way
   * @param uplinkBytesPerSecond of each rack, each way; infinite where it is no limit
   */
  public NodeReads(int[] rackOfNode, double linkBytesPerSecond, double uplinkBytesPerSecond) {
    this.rackOfNode = rackOfNode.clone();
    int nodes = rackOfNode.length;
    if (Double.isFinite(uplinkBytesPerSecond)) {
      for (int rack = 0; rack <= Arrays.stream(rackOfNode).max().orElse(0); rack++) {
        rackUp.add(problem.addResource(uplinkBytesPerSecond));
        rackDown.add(problem.addResource(uplinkBytesPerSecond));
      }
    }
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
    replicaNodes.add(new ArrayList<>());
  }

  /** From here on replicas are those of another block. */
  public void addBlock(double bytes) {
    problem.addBlock(bytes);
    lastOf(replicaNodes).add(new ArrayList<>());
  }

  /** Adds a replica on a node's device. */
  public void addReplica(int node, int device) {
    if (node == readerNode) {
      problem.addReplica(device);
    } else if (rackUp.isEmpty() || rackOfNode[node] == rackOfNode[readerNode]) {
      problem.addReplica(device, up[node], down[readerNode]);
    } else {
      problem.addReplica(
          device,
          up[node],
          rackUp.get(rackOfNode[node]),
          rackDown.get(rackOfNode[readerNode]),
          down[readerNode]);
    }
    lastOf(lastOf(replicaNodes)).add(node);
  }

  private static <T> T lastOf(List<T> list) {
    return list.get(list.size() - 1);
  }

  /**
   * Predicts what the readers would have if they read each block from the node that is named, in
   * bytes per second as the bound counts; null where one names a node without the block, or not one
   * for each block.
   *
   * @param sources by reader and block, the node
   */
  public Double bytesPerSecondFrom(List<List<Integer>> sources) {
    int[][] choice = new int[replicaNodes.size()][];
    for (int reader = 0; reader < choice.length; reader++) {
      List<List<Integer>> blocks = replicaNodes.get(reader);
      if (sources.get(reader).size() != blocks.size()) {
        return null;
      }
      choice[reader] = new int[blocks.size()];
      for (int block = 0; block < blocks.size(); block++) {
        choice[reader][block] = blocks.get(block).indexOf(sources.get(reader).get(block));
        if (choice[reader][block] < 0) {
          return null;
        }
      }
    }
    return ChosenReads.bytesPerSecond(problem, choice);
  }

  /** The best that they could reach, or null when computing it would take too long. */
  public ReadBound bound() {
    return problem.replicaCount() > ReadBound.REPLICAS_MAX ? null : ReadBound.of(problem);
  }
}
