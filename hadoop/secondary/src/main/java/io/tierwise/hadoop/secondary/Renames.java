package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.ChunkSums;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A series of renames in a store, none of them over another file, which can be undone. */
final class Renames {
  private record Done(Path from, Path to) {}

  private final SecondaryStore store;
  private final Deque<Done> done = new ArrayDeque<>();

  Renames(SecondaryStore store) {
    this.store = store;
  }

  /** Renames a file. */
  void add(Path from, Path to) throws IOException {
    rename(from, to);
    done.push(new Done(from, to));
  }

  /**
   * Renames a file of which there is no other copy, where a rename may copy: its old name goes when
   * the new one has given back the same bytes.
   */
  void addChecked(Path from, Path to, Transfer transfer) throws IOException {
    FileSystem fs = store.fs();
    requireFree(to);
    try {
      ChunkSums read;
      try (FSDataInputStream in = fs.open(from);
          FSDataOutputStream out = StoreFiles.create(fs, to, false)) {
        read = transfer.copy(in, out, ChunkSums.CHUNK_BYTES);
      }
      fs.setPermission(to, fs.getFileStatus(from).getPermission());
      try (FSDataInputStream in = fs.open(to)) {
        ChunkSums written = transfer.copy(in, null, ChunkSums.CHUNK_BYTES);
        if (written.bytes() != read.bytes() || written.whole() != read.whole()) {
          throw new IOException("it does not give back what was written to it, in " + to);
        }
      }
    } catch (IOException e) {
      fs.delete(to, false);
      throw e;
    }
    // Where this fails, both stay: the answer alone may have been lost.
    Removal.of(fs, from);
    done.push(new Done(from, to));
  }

  /** Local file systems would write over what has the name. */
  private void requireFree(Path path) throws IOException {
    if (store.fs().exists(path)) {
      throw new IOException("there is something of that name: " + path);
    }
  }

  private void rename(Path from, Path to) throws IOException {
    FileSystem fs = store.fs();
    requireFree(to);
    if (!fs.rename(from, to)) {
      throw new IOException("cannot rename " + from + " to " + to);
    }
  }

  boolean isEmpty() {
    return done.isEmpty();
  }

  /** Renames all files back, the last one first. */
  void undo() throws IOException {
    while (!done.isEmpty()) {
      rename(done.peek().to(), done.peek().from());
      done.pop();
    }
  }
}
