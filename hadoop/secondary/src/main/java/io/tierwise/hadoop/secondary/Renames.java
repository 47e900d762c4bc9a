package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
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

  private void rename(Path from, Path to) throws IOException {
    FileSystem fs = store.fs();
    // Local file systems would write over it.
    if (fs.exists(to)) {
      throw new IOException("there is something of that name: " + to);
    }
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
