package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
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

  /** Before replicas get their tiers back. */
  void moves() throws IOException {
    if (!isOfDaemon()) {
      return;
    }
    Map<Long, String> files = new LinkedHashMap<>();
    run.read(
        step -> {
          if (step.entry() instanceof JournalEntry.Moving moving) {
            files.put(moving.fileId(), moving.file());
          }
        });
    for (Map.Entry<Long, String> each : files.entrySet()) {
      HdfsFileStatus now = fs.getClient().getFileInfo(each.getValue());
      if (now != null && now.getFileId() == each.getKey()) {
        mark(each.getKey(), now.getReplication(), now.getReplication());
      }
    }
  }

  /** Gives back a number that somebody set before the daemon came. */
  private void mark(long fileId, int before, int after) throws IOException {
    try {
      ReplicaMark last =
          ReplicaMark.of(fileId, fs.getClient().getXAttrs(InodePath.of(fileId)))
              .orElse(new ReplicaMark(fileId, 0, 0, 0, false));
      new ReplicaMark(
              fileId,
              last.owns(before) ? before : 0,
              last.owns(after) ? after : 0,
              clock.millis(),
              true)
          .write(fs);
    } catch (FileNotFoundException e) {
      // Nothing is left to be heeded.
    }
  }
}
