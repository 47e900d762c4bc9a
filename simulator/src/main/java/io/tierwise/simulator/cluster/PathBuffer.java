package io.tierwise.simulator.cluster;

import java.util.Arrays;

/**
 * The path of a transfer: resources, and how much of each a byte uses. Refilled for each transfer,
 * so that starting one allocates nothing.
 */
public final class PathBuffer {
  private int[] resources = new int[32];
  private double[] unitsPerByte = new double[32];
  private int length;

  /** Seconds for each byte of the slowest thread, and of the one that took it in last. */
  private double slowestSeconds;

  private double receivingSeconds;

  /** Empties it. */
  public PathBuffer clear() {
    length = 0;
    slowestSeconds = 0;
    receivingSeconds = 0;
    return this;
  }

  /**
   * A thread sends each byte to another one. Where the path went on from the last hop's end, the
   * thread that took the byte in sends it on, as HDFS's BlockReceiver does.
   */
  void addHop(double sendSecondsPerByte, double receiveSecondsPerByte) {
    slowestSeconds = Math.max(slowestSeconds, receivingSeconds + sendSecondsPerByte);
    slowestSeconds = Math.max(slowestSeconds, receiveSecondsPerByte);
    receivingSeconds = receiveSecondsPerByte;
  }

  /** As fast as the slowest thread of the path, alone on its core; infinite without one. */
  double bytesPerSecondMax() {
    return slowestSeconds > 0 ? 1 / slowestSeconds : Double.POSITIVE_INFINITY;
  }

  /**
   * Adds what a byte uses of a resource; uses of the same resource add up.
   *
   * @param resource {@link VirtualCluster#UNLIMITED} is left out
   */
  public PathBuffer add(int resource, double units) {
    if (resource == VirtualCluster.UNLIMITED) {
      return this;
    }
    for (int i = 0; i < length; i++) {
      if (resources[i] == resource) {
        unitsPerByte[i] += units;
        return this;
      }
    }
    if (length == resources.length) {
      resources = Arrays.copyOf(resources, 2 * length);
      unitsPerByte = Arrays.copyOf(unitsPerByte, 2 * length);
    }
    resources[length] = resource;
    unitsPerByte[length++] = units;
    return this;
  }

  int[] resources() {
    return resources;
  }

  double[] unitsPerByte() {
    return unitsPerByte;
  }

  /** The resource that stands there. */
  public int resource(int index) {
    return resources[index];
  }

  /** The amount of that resource that a byte takes. */
  public double unitsPerByte(int index) {
    return unitsPerByte[index];
  }

  /** The number of resources. */
  public int length() {
    return length;
  }
}
