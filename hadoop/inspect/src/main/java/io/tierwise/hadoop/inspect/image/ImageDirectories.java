package io.tierwise.hadoop.inspect.image;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.INodeId;

/** The directories of an image, by number: names, parents, and what is set on them. */
final class ImageDirectories {
  static final int NONE = IdIndex.NONE;

  /** HDFS allows 1,000 names a path; an image that has more is none of HDFS's. */
  private static final int DEPTH_MAX = 1_000;

  private final List<byte[]> names = new ArrayList<>();
  private final Map<Integer, String> placements = new HashMap<>();
  private IdIndex numbers = new IdIndex(1 << 10);
  private int[] parents = new int[1 << 10];
  private byte[] policies = new byte[1 << 10];
  private byte[] path = new byte[1 << 12];
  private int from;

  /** Adds one. */
  void add(long id, byte[] name, int storagePolicy, String placement) {
    int number = names.size();
    names.add(name);
    if (number == parents.length) {
      parents = Arrays.copyOf(parents, 2 * number);
      policies = Arrays.copyOf(policies, 2 * number);
      numbers = numbers.grown(2L * number);
    }
    parents[number] = id == INodeId.ROOT_INODE_ID ? number : NONE;
    policies[number] = (byte) storagePolicy;
    if (placement != null) {
      placements.put(number, placement);
    }
    numbers.put(id, number);
  }

  int count() {
    return names.size();
  }

  int number(long id) {
    return numbers.get(id);
  }

  void parent(int directory, int parent) {
    if (parents[directory] != directory) {
      parents[directory] = parent;
    }
  }

  /** Whether the path to it begins at the root: that of what only a snapshot holds does not. */
  boolean reachesRoot(int directory) {
    int at = directory;
    for (int depth = 0; depth <= DEPTH_MAX && at != NONE; depth++) {
      if (parents[at] == at) {
        return true;
      }
      at = parents[at];
    }
    return false;
  }

  /** The nearest storage policy at it or above it; 0 where there is none. */
  int policy(int directory) {
    int at = directory;
    while (policies[at] == 0 && parents[at] != at) {
      at = parents[at];
    }
    return policies[at];
  }

  /** The nearest placement at it or above it; null where there is none. */
  String placement(int directory) {
    if (placements.isEmpty()) {
      return null;
    }
    int at = directory;
    while (!placements.containsKey(at) && parents[at] != at) {
      at = parents[at];
    }
    return placements.get(at);
  }

  /** Puts the path of a file together: what {@link #bytes} has from {@link #from} on. */
  void join(int directory, byte[] name) {
    from = path.length;
    prepend(name);
    for (int at = directory; parents[at] != at; at = parents[at]) {
      prepend(names.get(at));
    }
  }

  private void prepend(byte[] name) {
    int needed = name.length + 1;
    if (from < needed) {
      int length = Math.max(2 * path.length, path.length + needed);
      byte[] longer = new byte[length];
      int used = path.length - from;
      System.arraycopy(path, from, longer, length - used, used);
      path = longer;
      from = length - used;
    }
    from -= needed;
    path[from] = '/';
    System.arraycopy(name, 0, path, from + 1, name.length);
  }

  byte[] bytes() {
    return path;
  }

  int from() {
    return from;
  }
}
