package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import org.apache.hadoop.fs.CommonPathCapabilities;

/**
 * Stores whose files have names and bytes alone, as those of S3. They keep no owners and no rights,
 * and a rename there copies the bytes: what was read before it says nothing of them.
 */
final class ObjectStores {
  private ObjectStores() {}

  /** Whether a store is one: Hadoop tells file systems that keep rights. */
  static boolean is(SecondaryStore store) throws IOException {
    return !store.fs().hasPathCapability(store.root(), CommonPathCapabilities.FS_PERMISSIONS);
  }
}
