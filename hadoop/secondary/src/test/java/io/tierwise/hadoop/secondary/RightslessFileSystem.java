package io.tierwise.hadoop.secondary;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/** A mounted share that takes rights and keeps none, as one of SMB may. */
public final class RightslessFileSystem extends RawLocalFileSystem {
  @Override
  public void setPermission(Path path, FsPermission permission) {
    // All have those that the share was mounted with.
  }
}
