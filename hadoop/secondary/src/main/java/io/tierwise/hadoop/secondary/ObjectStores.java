package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import org.apache.hadoop.fs.CommonPathCapabilities;

/**
 * Stores where a rename may copy the bytes, as in a bucket of S3: what was read before it says
 * nothing of them, and the time of a file is that of its last rename.
 */
final class ObjectStores {
  private ObjectStores() {}

  /**
   * Whether a store may be one. No file system tells how it renames. HDFS and local ones say that
   * they keep rights, and all others are taken for buckets: a file system that is none is read
   * after the rename instead of before it, and loses nothing.
   */
  static boolean mayBe(SecondaryStore store) throws IOException {
    return !store.fs().hasPathCapability(store.root(), CommonPathCapabilities.FS_PERMISSIONS);
  }
}
