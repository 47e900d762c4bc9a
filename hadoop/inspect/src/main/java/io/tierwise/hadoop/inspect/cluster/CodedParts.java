package io.tierwise.hadoop.inspect.cluster;

import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * The parts of an erasure-coded group of a block: of data the first, of parity the others, each by
 * its index in the group.
 *
 * @param groupBytes of the data in it
 */
public record CodedParts(ErasureCodingPolicy coding, long groupBytes) {
  public CodedParts {
    Objects.requireNonNull(coding, "coding");
  }

  /**
   * How many different parts it takes to read the group. Of one that is not full fewer than usual:
   * parts without data need not be read.
   */
  public int needed() {
    long cells = (groupBytes + coding.getCellSize() - 1) / coding.getCellSize();
    return (int) Math.max(1, Math.min(coding.getNumDataUnits(), cells));
  }

  /** The bytes that a part stores. */
  public long bytes(int index) {
    return StripedBlockUtil.getInternalBlockLength(
        groupBytes, coding.getCellSize(), coding.getNumDataUnits(), index);
  }
}
