package io.tierwise.hadoop.inspect.compliance;

import io.tierwise.core.message.Words;

/**
 * Counts the blocks and bytes of some files that are where their policies want them. A block counts
 * as on its tier when every replica that it has is where the policy wants one; bytes count replica
 * by replica. Blocks that are being written are left out.
 */
public final class Compliance {
  private long files;
  private long filesOffTier;
  private long blocks;
  private long blocksOnTier;
  private long replicaBytes;
  private long replicaBytesOnTier;
  private long blocksNotJudged;

  /** Adds one block of the file that is being looked at. */
  void addBlock(boolean onTier, long bytes, long bytesOnTier) {
    blocks++;
    blocksOnTier += onTier ? 1 : 0;
    replicaBytes += bytes;
    replicaBytesOnTier += bytesOnTier;
  }

  void addNotJudged() {
    blocksNotJudged++;
  }

  void addFile(boolean onTier) {
    files++;
    filesOffTier += onTier ? 0 : 1;
  }

  /** Adds what another one counted. */
  public void add(Compliance other) {
    files += other.files;
    filesOffTier += other.filesOffTier;
    blocks += other.blocks;
    blocksOnTier += other.blocksOnTier;
    replicaBytes += other.replicaBytes;
    replicaBytesOnTier += other.replicaBytesOnTier;
    blocksNotJudged += other.blocksNotJudged;
  }

  public long getFiles() {
    return files;
  }

  public long getFilesOffTier() {
    return filesOffTier;
  }

  public long getBlocks() {
    return blocks;
  }

  public long getBlocksOnTier() {
    return blocksOnTier;
  }

  public long getReplicaBytes() {
    return replicaBytes;
  }

  public long getReplicaBytesOnTier() {
    return replicaBytesOnTier;
  }

  /** Blocks of policies that do not tell what they want. */
  public long getBlocksNotJudged() {
    return blocksNotJudged;
  }

  /** From 0 to 1; null without a block. */
  public Double getBlockShare() {
    return blocks == 0 ? null : (double) blocksOnTier / blocks;
  }

  /** From 0 to 1; null without a byte. */
  public Double getByteShare() {
    return replicaBytes == 0 ? null : (double) replicaBytesOnTier / replicaBytes;
  }

  /** A share for people; a dash for null. */
  public static String percent(Double share) {
    return share == null ? "-" : Words.percent(share);
  }
}
