package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A local file system that lets no new description take its name. */
public final class NamelessFileSystem extends RawLocalFileSystem {
  @Override
  public boolean rename(Path from, Path to) throws IOException {
    boolean isNew = from.getName().contains(".part") && to.getName().matches("\\d+\\.meta");
    return !isNew && super.rename(from, to);
  }
}
