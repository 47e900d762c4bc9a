package io.tierwise.simulator.bound;

import io.tierwise.simulator.network.ConcurrencyCurve;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Readers that begin together, each with a file of some blocks, and what each replica of a block is
 * read through. A reader reads from one replica at a time; nothing else uses the resources.
 */
public final class ReadProblem {
  private final List<ConcurrencyCurve> resources = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();

  /** The use of each resource by a byte from a replica. */
  record Path(int[] resources, double[] unitsPerByte) {
    /** The most that one reader can get. */
    double bytesPerSecondMax(double[] capacities) {
      double most = Double.POSITIVE_INFINITY;
      for (int i = 0; i < resources.length; i++) {
        most = Math.min(most, capacities[resources[i]] / unitsPerByte[i]);
      }
      if (Double.isInfinite(most)) {
        throw new IllegalArgumentException("nothing limits a read: a path needs a device");
      }
      return most;
    }
  }

  /** A block of a reader's file. */
  record Block(double bytes, List<Path> replicas) {
    double bytesPerSecondMax(double[] capacities) {
      return replicas.stream()
          .mapToDouble(path -> path.bytesPerSecondMax(capacities))
          .max()
          .orElseThrow(() -> new IllegalArgumentException("a block without a replica"));
    }
  }

  /** A reader's file. */
  record Reader(List<Block> blocks) {
    double bytes() {
      return blocks.stream().mapToDouble(Block::bytes).sum();
    }

    boolean mayUse(int resource) {
      for (Block block : blocks) {
        for (Path path : block.replicas()) {
          for (int used : path.resources()) {
            if (used == resource) {
              return true;
            }
          }
        }
      }
      return false;
    }
  }

  /** Adds a device or a link of that capacity; returns its number. */
  public int addResource(double unitsPerSecond) {
    return addResource(streams -> unitsPerSecond);
  }

  /** Adds a device whose capacity depends on how many read from it; returns its number. */
  public int addResource(ConcurrencyCurve curve) {
    resources.add(curve);
    return resources.size() - 1;
  }

  /** From here on blocks are those of another reader. */
  public void addReader() {
    readers.add(new Reader(new ArrayList<>()));
  }

  /** Adds a block to the last reader's file. */
  public void addBlock(double bytes) {
    if (!(bytes > 0)) {
      throw new IllegalArgumentException("a block of " + bytes + " bytes");
    }
    readers.get(readers.size() - 1).blocks().add(new Block(bytes, new ArrayList<>()));
  }

  /** Adds a replica of the last block: a byte of it takes one unit of each resource. */
  public void addReplica(int... path) {
    double[] units = new double[path.length];
    Arrays.fill(units, 1);
    addReplica(path, units);
  }

  /** Adds a replica of the last block. */
  public void addReplica(int[] path, double[] unitsPerByte) {
    List<Block> blocks = readers.get(readers.size() - 1).blocks();
    blocks.get(blocks.size() - 1).replicas().add(new Path(path.clone(), unitsPerByte.clone()));
  }

  /** Replicas of all blocks of all readers: what the cost of a bound depends on. */
  public int replicaCount() {
    return replicaCount(readers);
  }

  static int replicaCount(List<Reader> readers) {
    return readers.stream()
        .flatMap(reader -> reader.blocks().stream())
        .mapToInt(block -> block.replicas().size())
        .sum();
  }

  static int blockCount(List<Reader> readers) {
    return readers.stream().mapToInt(reader -> reader.blocks().size()).sum();
  }

  ConcurrencyCurve curve(int resource) {
    return resources.get(resource);
  }

  int resourceCount() {
    return resources.size();
  }

  List<Reader> readers() {
    return readers;
  }

  double bytes() {
    return readers.stream().mapToDouble(Reader::bytes).sum();
  }

  /** By resource, the most that it gives when some or all of these readers use it. */
  double[] capacities(List<Reader> active) {
    double[] capacities = new double[resources.size()];
    for (int resource = 0; resource < capacities.length; resource++) {
      int number = resource;
      long streams = active.stream().filter(reader -> reader.mayUse(number)).count();
      for (int count = 1; count <= streams; count++) {
        capacities[resource] =
            Math.max(capacities[resource], resources.get(resource).unitsPerSecond(count));
      }
    }
    return capacities;
  }
}
