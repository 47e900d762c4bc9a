package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.AccessSink;
import io.tierwise.core.use.PathBytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Reads logs in a thread of its own, so that no file of them is rotated away unread while whoever
 * counts does something else. What is read waits until it is asked for, up to a bound.
 */
public final class FollowedLogs implements Closeable {
  private static final long POLL_MILLIS = 500;

  /** Own: some 40 MB, and the lines of a minute of a NameNode that writes 4,000 a second. */
  private static final int BATCHES_MAX = 256;

  private static final int BATCH_ACCESSES = 1_000;

  /** Own: no log is rotated twice in as short a time. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final BlockingQueue<List<Access>> waiting;
  private final int batchAccesses;
  private final long lateNanos;
  private final NameNodeLogs logs;
  private final Thread thread = new Thread(this::read, "audit-logs");
  private List<Access> batch = new ArrayList<>();
  private volatile Seen seen;
  private volatile Throwable failure;
  private Seen handedOn;

  /** The logs after a poll, when all that was read waits or has been handed on. */
  private record Seen(NameNodeLogs.Covered covered, AuditCounts counts) {}

  /** Nothing is read before {@link #drain} is called first. */
  FollowedLogs(List<NameNodeLogs.Source> sources, ZoneId zone) throws IOException {
    this(sources, zone, new Bounds(BATCHES_MAX, BATCH_ACCESSES, LATE_NANOS));
  }

  /**
   * The bounds of what waits.
   *
   * @param lateNanos after which a file may have come and gone while the reader waited for room
   */
  record Bounds(int batches, int batchAccesses, long lateNanos) {}

  FollowedLogs(List<NameNodeLogs.Source> sources, ZoneId zone, Bounds bounds) throws IOException {
    waiting = new ArrayBlockingQueue<>(bounds.batches());
    batchAccesses = bounds.batchAccesses();
    lateNanos = bounds.lateNanos();
    logs = new NameNodeLogs(sources, zone, this::take);
    thread.setDaemon(true);
  }

  private void take(
      long time, AccessKind kind, PathBytes path, PathBytes destination, long reader) {
    batch.add(Access.copy(time, kind, path, destination, reader));
    if (batch.size() == batchAccesses) {
      handOver();
    }
  }

  private void handOver() {
    try {
      long start = System.nanoTime();
      waiting.put(batch);
      batch = new ArrayList<>();
      if (System.nanoTime() - start > lateNanos) {
        logs.wasAway();
      }
    } catch (InterruptedException e) {
      throw new Ended(e);
    }
  }

  /** The reader was closed. */
  private static final class Ended extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Ended(InterruptedException cause) {
      super(cause);
    }
  }

  private void read() {
    try (logs) {
      while (true) {
        logs.poll();
        if (!batch.isEmpty()) {
          handOver();
        }
        seen = new Seen(logs.covered(), logs.counts());
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException | Ended e) {
      // It was closed.
    } catch (IOException | RuntimeException | Error e) {
      // Also when memory is short: silence would look like logs in which nobody reads.
      failure = e;
    }
  }

  /**
   * Hands on what was read.
   *
   * @return whether there was anything
   * @throws IOException when a log cannot be read
   */
  boolean drain(AccessSink sink) throws IOException {
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    Seen before = seen;
    List<Access> next = waiting.poll();
    if (next == null) {
      handedOn = before;
      requireNoFailure();
      return false;
    }
    for (Access each : next) {
      each.to(sink);
    }
    return true;
  }

  private void requireNoFailure() throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw new IOException("the audit logs cannot be read on: " + e, e);
    }
  }

  /** Whether all that the logs had at first was handed on. */
  public boolean isCaughtUp() {
    return handedOn != null;
  }

  /** The time that logs cover by what was handed on; only when it has caught up. */
  public NameNodeLogs.Covered covered() {
    return handedOn.covered();
  }

  /** Lines that were read, those that wait among them. */
  AuditCounts counts() {
    Seen now = seen;
    return now == null ? AuditCounts.NONE : now.counts();
  }

  /** Ends the reading. */
  @Override
  public void close() throws IOException {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException) new InterruptedIOException("ended").initCause(e);
    }
    if (thread.getState() == Thread.State.NEW) {
      logs.close();
    }
  }
}
