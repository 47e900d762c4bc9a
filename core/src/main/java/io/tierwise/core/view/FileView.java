package io.tierwise.core.view;

/**
 * The file whose block is to be placed, as far as a policy may know it. All of it outlives a
 * restart of the host.
 *
 * @param fileId stable over the file's life (an inode id); 0 when unknown
 * @param dataSetBlockIndex index, from 0, of this block in its data set: the file, or the directory
 *     that carries the policy when the policy counts over a directory
 * @param replicaCount replicas that each block should have; 0 when unknown
 */
public record FileView(long fileId, long dataSetBlockIndex, int replicaCount) {
  /** A file of which nothing is known. */
  public static final FileView UNKNOWN = new FileView(0, 0);

  /** A file of which nobody says how many replicas it should have. */
  public FileView(long fileId, long dataSetBlockIndex) {
    this(fileId, dataSetBlockIndex, 0);
  }
}
