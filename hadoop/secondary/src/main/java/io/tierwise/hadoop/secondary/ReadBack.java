package io.tierwise.hadoop.secondary;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Reads a file of a store as its disks have it, and not as this machine remembers it. */
final class ReadBack {
  private static final int BUFFER_BYTES = 1 << 16;

  private ReadBack() {}

  /**
   * Opens it.
   *
   * @param remarks is told when it may come from this machine's memory
   */
  static InputStream open(FileSystem fs, Path path, Consumer<String> remarks) throws IOException {
    // No subclass: it may read in its own way.
    if (fs.getClass() == RawLocalFileSystem.class) {
      java.nio.file.Path file = ((RawLocalFileSystem) fs).pathToFile(path).toPath();
      try {
        return DirectInputStream.open(file);
      } catch (IOException | UnsupportedOperationException e) {
        if (Files.isReadable(file)) {
          remarks.accept(
              "the secondary store's file system takes no direct reads: what is read back may come"
                  + " from this machine's memory, and shows what was sent and not what its disks"
                  + " hold");
        }
      }
    }
    return fs.open(path, BUFFER_BYTES);
  }
}
