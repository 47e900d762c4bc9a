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
  private OperatorException failure;

  LateJournal(JobRun.Start start) {
    this.start = start;
  }

  /**
   * The journal, begun by now.
   *
   * @throws OperatorException when it cannot be, now and ever after: each of a mover's threads asks
   */
  synchronized JournalRun begun() {
    if (failure != null) {
      throw failure;
    }
    try {
      run = run == null ? start.begin() : run;
      return run;
    } catch (OperatorException e) {
      failure = e;
    } catch (IOException e) {
      failure =
          OperatorException.cluster(
              "the journal cannot be begun (" + e.getMessage() + "): nothing is moved without it",
              e);
    }
    throw failure;
  }

  /** Whether it could not be begun. */
  synchronized boolean hasFailed() {
    return failure != null;
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
