package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Marks files whose changes by the daemon are taken back: a daemon that runs hears of it by looking
 * at the file, and leaves it alone for a while.
 */
final class UndoMarks {
  private final DistributedFileSystem fs;
  private final PastRun run;
  private final InstantSource clock = InstantSource.system();

  /** The file that was marked last; null for none. */
  private Marked last;

  /**
   * The file whose mark is taken back when nothing of it comes back.
   *
   * @param before its mark until then
   */
  private record Marked(long fileId, Optional<ReplicaMark> before) {}

  UndoMarks(DistributedFileSystem fs, PastRun run) {
    this.fs = fs;
    this.run = run;
  }

  private boolean isOfDaemon() {
    return run.begin().command().equals(ReplicaMark.COMMAND);
  }

  /** Before the file gets its number back. */
  void replicas(JournalEntry.Replicas change) throws IOException {
    if (isOfDaemon()) {
      mark(change.fileId(), change.before(), change.after());
    }
  }

  /** Before replicas of the file get their tiers back. */
  void moves(HdfsFileStatus file) throws IOException {
    if (isOfDaemon()) {
      mark(file.getFileId(), file.getReplication(), file.getReplication());
    }
  }

  /** Nothing of the file was taken back: it is marked as it was before, if it was marked last. */
  void refused(long fileId) throws IOException {
    if (last == null || last.fileId() != fileId) {
      return;
    }
    try {
      if (last.before().isPresent()) {
        last.before().get().write(fs);
      } else {
        fs.getClient().removeXAttr(InodePath.of(fileId), ReplicaMark.ATTRIBUTE);
      }
    } catch (IOException e) {
      if (PathRefusal.of(e).isEmpty()) {
        throw e;
      } // Else the file is gone, or is nobody's to change any more.
    }
  }

  /** Gives back a number that somebody set before the daemon came. */
  private void mark(long fileId, int before, int after) throws IOException {
    last = null;
    try {
      Optional<ReplicaMark> found =
          ReplicaMark.of(fileId, fs.getClient().getXAttrs(InodePath.of(fileId)));
      ReplicaMark known = found.orElse(new ReplicaMark(fileId, 0, 0, 0, false));
      new ReplicaMark(
              fileId,
              known.owns(before) ? before : 0,
              known.owns(after) ? after : 0,
              clock.millis(),
              true)
          .write(fs);
      last = new Marked(fileId, found);
    } catch (FileNotFoundException e) {
      // Nothing is left to be heeded.
    }
  }
}
