package io.tierwise.hadoop.inspect.image;

import io.tierwise.core.use.PathBytes;
import java.util.Arrays;

/** A file of an image. The reader sets it anew for each: whoever wants to keep it copies it. */
public final class ImageFile {
  private final PathBytes path = new PathBytes();
  private long bytes;
  private int replicas;
  private long storedBytes;
  private boolean striped;
  private int storagePolicy;
  private String placement;
  private long usedMillis;
  private boolean readNoted;
  private long[] blockIds = new long[16];
  private long[] blockBytes = new long[16];
  private int blockCount;

  void set(byte[] array, int from, int to) {
    path.set(array, from, to);
  }

  /** Its length and its times in milliseconds of 1970. */
  void set(long size, long accessed, long modified) {
    bytes = size;
    usedMillis = Math.max(accessed, modified);
    // A file is made before its last block is written: the time of that is no read.
    readNoted = accessed >= modified;
  }

  void set(int policy, String placementText) {
    storagePolicy = policy;
    placement = placementText;
  }

  /** Begins the list of its blocks. */
  void clearBlocks() {
    blockCount = 0;
  }

  void addBlock(long id, long length) {
    if (blockCount == blockIds.length) {
      blockIds = Arrays.copyOf(blockIds, 2 * blockCount);
      blockBytes = Arrays.copyOf(blockBytes, 2 * blockCount);
    }
    blockIds[blockCount] = id;
    blockBytes[blockCount] = length;
    blockCount++;
  }

  void replicated(int count) {
    replicas = count;
    storedBytes = count * bytes;
    striped = false;
  }

  void striped(long cellAndParityBytes) {
    replicas = 1;
    storedBytes = cellAndParityBytes;
    striped = true;
  }

  public PathBytes path() {
    return path;
  }

  /** Its length. */
  public long bytes() {
    return bytes;
  }

  /** Its blocks; of an erasure-coded file, groups of them. */
  public int blockCount() {
    return blockCount;
  }

  /** The id of a block by its number, or of a group. */
  public long blockId(int block) {
    return blockIds[block];
  }

  /** The length of a block by its number, or of a group. */
  public long blockBytes(int block) {
    return blockBytes[block];
  }

  /** Replicas that each block should have; 1 for an erasure-coded file. */
  public int replicas() {
    return replicas;
  }

  /** Bytes that it takes when it has all its replicas, or all of its cells and parity. */
  public long storedBytes() {
    return storedBytes;
  }

  /** Whether it is erasure-coded. */
  public boolean striped() {
    return striped;
  }

  /** Id of the storage policy that is set on it or above it and holds for it; 0 where none is. */
  public int storagePolicy() {
    return storagePolicy;
  }

  /** The placement that the nearest attribute names; null where none is set. */
  public String placement() {
    return placement;
  }

  /** When it was read or written last, as far as the NameNode noted that: milliseconds of 1970. */
  public long usedMillis() {
    return usedMillis;
  }

  /** Whether the NameNode noted a read that was no earlier than the last write. */
  public boolean readNoted() {
    return readNoted;
  }
}
