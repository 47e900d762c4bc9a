package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import io.tierwise.hadoop.hdfs.secondary.StoredCopy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Makes files and names of a store durable, where its file system leaves that to its users. */
final class Durability {
  private Durability() {}

  /** Makes a local file's bytes durable. */
  static void force(FileSystem fs, Path path) throws IOException {
    if (fs instanceof RawLocalFileSystem local) {
      try (FileChannel channel =
          FileChannel.open(local.pathToFile(path).toPath(), StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** Names in a local file system are durable when their directories are, up to the root. */
  static void forceNames(StoredCopy copy) throws IOException {
    FileSystem fs = copy.store().fs();
    Path folder = copy.data().getParent();
    force(fs, folder);
    force(fs, folder.getParent());
    force(fs, copy.store().root());
  }

  /** A warning about a store that cannot say when bytes are on its disks. */
  static Optional<String> remark(SecondaryStore store, Path written) {
    try {
      return store.fs().getFileStatus(written).isErasureCoded()
          ? Optional.of(
              "the secondary store "
                  + store
                  + " has an erasure code, whose bytes HDFS does not force to disks: if all of its"
                  + " machines lose power at once, the copies of the last seconds are lost")
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
