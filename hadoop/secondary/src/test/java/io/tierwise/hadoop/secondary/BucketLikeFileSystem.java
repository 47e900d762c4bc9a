package io.tierwise.hadoop.secondary;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * A local file system that does not say that it keeps rights, though it does, and whose renames
 * copy: of files that {@link #MISCOPIED} names, wrongly, unless they get back a name that they had.
 * Files that {@link #SPOILED} names are not what was written when they are opened.
 */
public final class BucketLikeFileSystem extends RawLocalFileSystem {
  /** The key of a pattern of names. */
  static final String MISCOPIED = "test.miscopied";

  /** The same of files that are spoiled at rest. */
  static final String SPOILED = "test.spoiled";

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return !capability.equals(CommonPathCapabilities.FS_PERMISSIONS)
        && super.hasPathCapability(path, capability);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    boolean done = super.rename(from, to);
    if (!from.getName().contains(".older") && to.getName().matches(getConf().get(MISCOPIED, ""))) {
      spoil(to);
    }
    return done;
  }

  private void spoil(Path path) throws IOException {
    java.nio.file.Path file = pathToFile(path).toPath();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
    if (path.getName().matches(getConf().get(SPOILED, ""))) {
      spoil(path);
    }
    return super.open(path, bufferBytes);
  }
}
