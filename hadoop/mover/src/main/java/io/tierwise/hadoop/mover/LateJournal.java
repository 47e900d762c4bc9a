package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.Closeable;
import java.io.IOException;

/**
 * The journal of a run that begins with its first move: a daemon that often finds nothing to move
 * would leave thousands of files a day. Safe for many threads.
 */
final class LateJournal implements Closeable {
  private final JobRun.Start start;
  private JournalRun run;

  LateJournal(JobRun.Start start) {
    this.start = start;
  }

  /**
   * The journal, begun by now.
   *
   * @throws OperatorException when it cannot be
   */
  synchronized JournalRun begun() {
    try {
      run = run == null ? start.begin() : run;
      return run;
    } catch (IOException e) {
      throw OperatorException.cluster(
          "the journal cannot be begun (" + e.getMessage() + "): nothing is moved without it", e);
    }
  }

  /** Writes the last line, unless nothing was to be written. */
  synchronized void end(JournalEntry.End end) {
    if (run != null) {
      run.append(end);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (run != null) {
      run.close();
    }
  }
}
