package io.tierwise.simulator.network;

import java.util.Arrays;

/**
 * The paths of lanes: for each entry the resource, and where the lane stands in the resource's
 * list. Room that a path left goes to the next one of the same length.
 */
final class PathTable {
  private static final int NONE = -1;

  private int[] resource = new int[256];

  /** The last bits of a place: with them the whole is found, see {@link ResourceTable#placeOf}. */
  private char[] place = new char[256];

  private int end;

  /** By length: the room that was left last; its first resource tells where the next one is. */
  private int[] free = {};

  int resource(int entry) {
    return resource[entry];
  }

  char place(int entry) {
    return place[entry];
  }

  void setPlace(int entry, int whole) {
    place[entry] = (char) whole;
  }

  /** Takes a path in; returns its first entry. */
  int add(int[] resources, int length) {
    int offset = newPath(length);
    System.arraycopy(resources, 0, resource, offset, length);
    return offset;
  }

  void free(int offset, int length) {
    if (length > 0) {
      resource[offset] = free[length];
      free[length] = offset;
    }
  }

  boolean isSame(int offset, int[] resources, int length) {
    for (int i = 0; i < length; i++) {
      if (resource[offset + i] != resources[i]) {
        return false;
      }
    }
    return true;
  }

  /** As {@link #hash(int[], int, int, long)} of a path that is here. */
  int hash(int offset, int length, long seed) {
    return hash(resource, offset, length, seed);
  }

  /** Of {@code length} resources, the first at {@code from}. */
  static int hash(int[] resources, int from, int length, long seed) {
    long hash = seed;
    for (int i = from; i < from + length; i++) {
      hash = (hash ^ resources[i]) * 0x9e3779b97f4a7c15L;
      hash ^= hash >>> 29;
    }
    hash *= 0xbf58476d1ce4e5b9L;
    return (int) (hash >>> 32);
  }

  private int newPath(int length) {
    if (length >= free.length) {
      int before = free.length;
      free = Arrays.copyOf(free, length + 1);
      Arrays.fill(free, before, free.length, NONE);
    }
    if (length > 0 && free[length] != NONE) {
      int offset = free[length];
      free[length] = resource[offset];
      return offset;
    }
    if (end + length > resource.length) {
      int room = Growth.after(end) + length;
      resource = Arrays.copyOf(resource, room);
      place = Arrays.copyOf(place, room);
    }
    end += length;
    return end - length;
  }
}
