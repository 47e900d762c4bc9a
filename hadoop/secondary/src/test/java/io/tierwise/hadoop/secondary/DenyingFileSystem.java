package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;

/**
 * A store in which this user may make nothing, as HDFS says it: by an error that names the user.
 */
public class DenyingFileSystem extends RawLocalFileSystem {
  static final String WHY = "Permission denied: user=ann, access=WRITE";

  @Override
  public boolean mkdirs(Path path, FsPermission permission) throws IOException {
    throw new AccessControlException(WHY);
  }

  /** The same as a mounted directory says it: by no reason at all. */
  public static final class Silently extends DenyingFileSystem {
    @Override
    public boolean mkdirs(Path path, FsPermission permission) {
      return false;
    }
  }
}
