package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Deletes a file, and checks that it is gone: file systems answer "no" instead of failing. */
final class Removal {
  private Removal() {}

  /**
   * Deletes a file that may be gone already.
   *
   * @throws IOException when it is there afterwards
   */
  static void of(FileSystem fs, Path path) throws IOException {
    if (!fs.delete(path, false) && fs.exists(path)) {
      throw new IOException("the file system did not take it away: " + path);
    }
  }
}
