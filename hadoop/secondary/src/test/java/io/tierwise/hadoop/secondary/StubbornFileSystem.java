package io.tierwise.hadoop.secondary;

import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A local file system that takes nothing away, and says so as Hadoop's do: without an error. */
public final class StubbornFileSystem extends RawLocalFileSystem {
  @Override
  public boolean delete(Path path, boolean recursive) {
    return false;
  }
}
