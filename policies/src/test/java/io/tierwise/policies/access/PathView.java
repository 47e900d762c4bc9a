package io.tierwise.policies.access;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.core.view.ReadView;
import java.util.Arrays;

/** Replicas of a block with what they are read through: device, link of the node, reader's link. */
final class PathView implements ReadView {
  /** 10^6 bytes a second. */
  static final double NVME = 533e6;

  static final double DISK = 61e6;

  private final int[] nodes;
  private final double[] devices;
  private final double linkRate;
  private double readerLinkRate;
  private final int reader;
  private final int[] reported;
  long nowMillis;

  /**
   * @param reader the node that reads; replicas on it are local, all others in its rack
   * @param nodes of the replicas
   * @param devices their bytes per second
   */
  PathView(int reader, double linkRate, int[] nodes, double... devices) {
    this.reader = reader;
    this.linkRate = linkRate;
    this.readerLinkRate = linkRate;
    this.nodes = nodes;
    this.devices = devices;
    this.reported = new int[nodes.length];
  }

  PathView reporting(int... transfers) {
    System.arraycopy(transfers, 0, reported, 0, transfers.length);
    return this;
  }

  /** Of another speed than those of the nodes. */
  PathView readerLink(double rate) {
    readerLinkRate = rate;
    return this;
  }

  PathView at(long millis) {
    nowMillis = millis;
    return this;
  }

  @Override
  public TierTable tiers() {
    return ArrayReadView.HATS;
  }

  @Override
  public int replicaCount() {
    return nodes.length;
  }

  @Override
  public int tier(int replica) {
    return devices[replica] == NVME ? ArrayReadView.NVME : ArrayReadView.DISK;
  }

  @Override
  public int distance(int replica) {
    return nodes[replica] == reader ? 0 : 2;
  }

  @Override
  public int activeTransfers(int replica) {
    return reported[replica];
  }

  @Override
  public int nodeKey(int replica) {
    return nodes[replica];
  }

  @Override
  public int pathLength(int replica) {
    return nodes[replica] == reader ? 1 : 3;
  }

  @Override
  public long pathKey(int replica, int step) {
    return (step == 2 ? reader : nodes[replica]) * 4L + step;
  }

  @Override
  public double pathBytesPerSecond(int replica, int step) {
    return switch (step) {
      case 0 -> devices[replica];
      case 1 -> linkRate;
      default -> readerLinkRate;
    };
  }

  @Override
  public long nowMillis() {
    return nowMillis;
  }

  @Override
  public String toString() {
    return "nodes " + Arrays.toString(nodes) + " at " + Arrays.toString(devices);
  }
}
