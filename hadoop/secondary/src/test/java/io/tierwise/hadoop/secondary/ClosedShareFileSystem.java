package io.tierwise.hadoop.secondary;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/** A mounted share that takes rights, and shows files to none but the user who mounted it. */
public final class ClosedShareFileSystem extends RawLocalFileSystem {
  private static final FsPermission OF_FILES = new FsPermission((short) 0600);

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    File file = pathToFile(path);
    super.setPermission(path, file.isDirectory() ? permission : OF_FILES);
  }
}
