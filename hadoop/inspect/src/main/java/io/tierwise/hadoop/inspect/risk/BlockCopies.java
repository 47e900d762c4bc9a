package io.tierwise.hadoop.inspect.risk;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.cluster.CodedParts;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * How a stored block is kept: replicas on different nodes, or the parts of an erasure-coded group.
 *
 * <p>Decommissioned nodes may be switched off at any time. What stands on them counts only where
 * the block could not be read without it.
 *
 * @param units replicas, or parts of which each has another index in the group
 * @param needed to read the block
 * @param coded whether it is a group; a small one needs only one part, which is still no replica
 */
record BlockCopies(int units, int needed, boolean coded) implements Comparable<BlockCopies> {
  private static final Comparator<BlockCopies> ORDER =
      Comparator.comparing(BlockCopies::coded)
          .thenComparingInt(BlockCopies::needed)
          .thenComparingInt(BlockCopies::units);

  /**
   * A block's copies, and the bytes that they take.
   *
   * @param storedBytes of the units that count
   */
  record Stored(BlockCopies copies, long storedBytes) {}

  static Stored of(LocatedBlock block, ErasureCodingPolicy coding) {
    if (block instanceof LocatedStripedBlock group) {
      return ofGroup(group, coding);
    }
    long inService = nodes(block, node -> !node.isDecommissioned());
    long units = inService > 0 ? inService : nodes(block, node -> true);
    return new Stored(
        new BlockCopies((int) units, 1, false), Math.multiplyExact(units, block.getBlockSize()));
  }

  private static long nodes(LocatedBlock block, Predicate<DatanodeInfo> counts) {
    return Arrays.stream(block.getLocations())
        .filter(counts)
        .map(DatanodeInfo::getDatanodeUuid)
        .distinct()
        .count();
  }

  private static Stored ofGroup(LocatedStripedBlock group, ErasureCodingPolicy coding) {
    CodedParts coded = new CodedParts(coding, group.getBlockSize());
    int needed = coded.needed();
    BitSet inService = parts(group, node -> !node.isDecommissioned());
    BitSet parts = inService.cardinality() >= needed ? inService : parts(group, node -> true);
    long storedBytes = parts.stream().mapToLong(coded::bytes).sum();
    return new Stored(new BlockCopies(parts.cardinality(), needed, true), storedBytes);
  }

  /** Indices of the group's parts; one may stand twice. */
  private static BitSet parts(LocatedStripedBlock group, Predicate<DatanodeInfo> counts) {
    BitSet parts = new BitSet();
    DatanodeInfo[] nodes = group.getLocations();
    byte[] indices = group.getBlockIndices();
    for (int i = 0; i < nodes.length; i++) {
      if (counts.test(nodes[i])) {
        parts.set(indices[i]);
      }
    }
    return parts;
  }

  boolean isReadable() {
    return units >= needed;
  }

  String words() {
    return coded ? "any " + needed + " of " + units : Words.count(units, "replica");
  }

  @Override
  public int compareTo(BlockCopies other) {
    return ORDER.compare(this, other);
  }
}
