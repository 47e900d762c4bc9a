package io.tierwise.simulator.storage;

import io.tierwise.core.view.FileUse;
import io.tierwise.policies.placement.PlacementPolicy;
import java.util.Optional;

/**
 * A file: equal parts, each written by one task (one part for input data), each of whole blocks but
 * for its last.
 */
public final class StoredFile {
  /** Of a file that was not used yet. */
  private static final long UNUSED = -1;

  private final Namespace namespace;
  private final int id;
  private final String path;
  private final long blockBytes;
  private final int firstBlock;
  private final int blockCount;
  private final long partBytes;
  private final int blocksPerPart;
  private int replication;
  private int readerCount;
  private long writtenMillis;
  private long readMillis;
  private boolean isBeingWritten;
  private boolean isOfJob;
  private long lastUse = UNUSED;
  private PlacementPolicy policy;

  StoredFile(
      Namespace namespace,
      int id,
      String path,
      long blockBytes,
      int firstBlock,
      int partCount,
      long partBytes,
      int replication) {
    this.namespace = namespace;
    this.id = id;
    this.path = path;
    this.blockBytes = blockBytes;
    this.firstBlock = firstBlock;
    this.partBytes = partBytes;
    this.replication = replication;
    this.blocksPerPart = Math.toIntExact((partBytes + blockBytes - 1) / blockBytes);
    this.blockCount = Math.multiplyExact(partCount, blocksPerPart);
  }

  public int id() {
    return id;
  }

  /** Its name, empty when nobody will ask for it. */
  public String path() {
    return path;
  }

  public int blockCount() {
    return blockCount;
  }

  public int blocksPerPart() {
    return blocksPerPart;
  }

  /** The part that the block at {@code index} is of. */
  public int partOf(int index) {
    return index / blocksPerPart;
  }

  /** Index, in its part, of the block at {@code index}. */
  public int indexInPart(int index) {
    return index % blocksPerPart;
  }

  /** The id of a block's file for policies: each part is a file of its own, as in HDFS. Never 0. */
  public long fileIdOf(int index) {
    return (long) partOf(index) << 32 | (id + 1L);
  }

  /** Replicas that each of its blocks should have. */
  public int replication() {
    return replication;
  }

  /** From now on each of its blocks should have so few. */
  void keep(int replicas) {
    replication = Math.min(replication, replicas);
  }

  /** Changes how many replicas each of its blocks should have; nothing is copied or dropped. */
  public void setReplication(int replicas) {
    replication = replicas;
  }

  /** Jobs that read it. */
  public int readerCount() {
    return readerCount;
  }

  /** Bytes of each part. */
  public long partBytes() {
    return partBytes;
  }

  /** All its bytes. */
  public long bytes() {
    return blocksPerPart == 0 ? 0 : partBytes * (blockCount / blocksPerPart);
  }

  /** The namespace's id of the block at {@code index} in the file. */
  public int block(int index) {
    return firstBlock + index;
  }

  /** Index in the file of the namespace's block {@code block}. */
  public int indexOf(int block) {
    return block - firstBlock;
  }

  /** Index of the block that holds the byte at {@code offset}. */
  public int blockIndexAt(long offset) {
    int firstOfPart = (int) (offset / partBytes) * blocksPerPart;
    return firstOfPart + (int) (offset % partBytes / blockBytes);
  }

  /** Offset of the block at {@code index}. */
  public long blockStart(int index) {
    return index / blocksPerPart * partBytes + (long) (index % blocksPerPart) * blockBytes;
  }

  /** Bytes from {@code offset} to the end of its block. */
  public long bytesToEndOfBlock(long offset) {
    int index = blockIndexAt(offset);
    long before = (long) (index % blocksPerPart) * blockBytes;
    return blockBytes(index) - (offset % partBytes - before);
  }

  /** Bytes of the block at {@code index}. */
  public long blockBytes(int index) {
    long before = (long) (index % blocksPerPart) * blockBytes;
    return Math.min(blockBytes, partBytes - before);
  }

  /** Its size and last use, of each part alike; 0 stands for the start of the run. */
  public FileUse use() {
    return FileUse.of(partBytes, writtenMillis, readMillis);
  }

  /** A job has written it. */
  public void noteWritten(long millis) {
    writtenMillis = millis;
  }

  /** A job begins to read it. */
  public void noteRead(long millis) {
    readMillis = millis;
  }

  /** Must be called before its first read, so that nobody deletes it; {@link #closed} after. */
  public void opened() {
    readerCount++;
    namespace.openChanged(this);
  }

  public void closed() {
    readerCount--;
    namespace.openChanged(this);
  }

  /** A job begins to write it, or is done with it. */
  public void setBeingWritten(boolean now) {
    isBeingWritten = now;
    isOfJob |= now;
    namespace.openChanged(this);
  }

  public boolean isBeingWritten() {
    return isBeingWritten;
  }

  /** Whether a job writes it, or wrote it; all others were there before. */
  public boolean isOfJob() {
    return isOfJob;
  }

  /** The number of its last use, among the uses of all files. */
  long lastUse() {
    return lastUse;
  }

  void setLastUse(long number) {
    lastUse = number;
  }

  boolean isOpen() {
    return readerCount > 0 || isBeingWritten;
  }

  /** The policy that the file is under; empty where that of the whole cluster holds. */
  public Optional<PlacementPolicy> policy() {
    return Optional.ofNullable(policy);
  }

  /** Puts the file under a policy of its own, for all that is placed from now on. */
  public void setPolicy(PlacementPolicy own) {
    policy = own;
  }
}
