package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * A mounted share that refuses to change rights, as FAT and some FUSE file systems do: Hadoop's
 * local file system makes files and directories, and then fails to give them theirs.
 */
public final class RefusingFileSystem extends RawLocalFileSystem {
  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    throw new IOException("chmod: changing permissions of '" + path + "': Operation not permitted");
  }
}
