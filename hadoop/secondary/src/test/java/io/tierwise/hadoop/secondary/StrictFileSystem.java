package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsAction;

/** A local file system that lets an owner read by his rights, also where tests run as root. */
public final class StrictFileSystem extends RawLocalFileSystem {
  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (!getFileStatus(path).getPermission().getUserAction().implies(FsAction.READ)) {
      throw new FileNotFoundException(path + " (Permission denied)");
    }
    return super.open(path, bufferSize);
  }
}
