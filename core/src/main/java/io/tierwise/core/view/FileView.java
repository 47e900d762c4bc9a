package io.tierwise.core.view;

import io.tierwise.core.data.IdHash;

/**
 * The file whose block is to be placed or moved, as far as a policy may know it. All of it outlives
 * a restart of the host.
 *
 * @param fileId stable over the file's life (an inode id); 0 when unknown
 * @param dataSetBlockIndex index, from 0, of this block in its data set: the file, or the directory
 *     that carries the policy when the policy counts over a directory
 * @param replicaCount replicas that each block should have; 0 when unknown
 * @param use its size and last use; {@link FileUse#UNKNOWN} while it is written
 */
public record FileView(long fileId, long dataSetBlockIndex, int replicaCount, FileUse use) {
  /** Blocks that {@link #ofCopy} draws among; small, so that a ratio of it is exact. */
  private static final long DRAWS = 1 << 20;

  /** A file of which nothing is known. */
  public static final FileView UNKNOWN = new FileView(0, 0);

  /** A file that is written. */
  public FileView(long fileId, long dataSetBlockIndex, int replicaCount) {
    this(fileId, dataSetBlockIndex, replicaCount, FileUse.UNKNOWN);
  }

  /** A file of which nobody says how many replicas it should have. */
  public FileView(long fileId, long dataSetBlockIndex) {
    this(fileId, dataSetBlockIndex, 0);
  }

  /**
   * The file of a block that is copied. A NameNode does not say which block it is, so a number that
   * is drawn from the copy stands for its index: the same for the same copy, and spread evenly over
   * the copies of a data set, so that a ratio over indexes holds on average.
   *
   * @param source where no replica is live, a durable name of the node that still holds one; else
   *     empty, because a host may copy from any of several
   */
  public static FileView ofCopy(long fileId, int replicaCount, String source, long blockBytes) {
    long mixed = IdHash.mix(IdHash.mix(fileId * 31 + blockBytes) ^ source.hashCode());
    return new FileView(fileId, Long.remainderUnsigned(mixed, DRAWS), replicaCount);
  }
}
