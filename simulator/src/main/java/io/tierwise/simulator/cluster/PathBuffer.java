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

  /** Empties it. */
  public PathBuffer clear() {
    length = 0;
    return this;
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
