package io.tierwise.hadoop.secondary;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * A local file system that does not say that it keeps rights, though it does, and whose renames
 * copy: of files that {@link #MISCOPIED} names, wrongly, unless they get back a name that they had.
 */
public final class BucketLikeFileSystem extends RawLocalFileSystem {
  /** The key of a pattern of names. */
  static final String MISCOPIED = "test.miscopied";

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return !capability.equals(CommonPathCapabilities.FS_PERMISSIONS)
        && super.hasPathCapability(path, capability);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    boolean done = super.rename(from, to);
    if (!from.getName().contains(".older") && to.getName().matches(getConf().get(MISCOPIED, ""))) {
      java.nio.file.Path file = pathToFile(to).toPath();
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 1;
      Files.write(file, bytes);
    }
    return done;
  }
}
