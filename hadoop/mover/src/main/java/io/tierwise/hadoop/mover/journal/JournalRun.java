package io.tierwise.hadoop.mover.journal;

import io.tierwise.core.message.OperatorException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/**
 * The journal of a run that goes on. Safe for many threads: those that wait for their lines to be
 * durable share a sync.
 *
 * <p>After a write that failed it takes no line any more, so that nothing follows a line that is
 * cut.
 */
public final class JournalRun implements Closeable {
  /** A file that can be written behind its end, and made durable. */
  interface Target extends Closeable {
    OutputStream out();

    void sync() throws IOException;
  }

  private final String id;
  private final String name;
  private final Target target;
  private final InstantSource clock;
  private final Object syncing = new Object();
  private volatile long next;
  private long durable;
  private volatile OperatorException failure;

  /**
   * @param name of the file, for people
   */
  JournalRun(String id, String name, Target target, InstantSource clock) {
    this.id = id;
    this.name = name;
    this.target = target;
    this.clock = clock;
  }

  /** The run's id, by which it is found and undone. */
  public String id() {
    return id;
  }

  /**
   * Writes a line and returns its number. Durable only after {@link #sync}.
   *
   * @throws OperatorException when it cannot be written, now and ever after
   */
  public synchronized long append(JournalEntry entry) {
    requireWhole();
    long number = next;
    String line = new JournalLine(number, clock.instant(), entry).format() + "\n";
    try {
      target.out().write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw failed(e);
    }
    next = number + 1;
    return number;
  }

  /**
   * Returns when all lines that were written before are durable.
   *
   * @throws OperatorException when they may not be
   */
  public void sync() {
    long wanted = next;
    synchronized (syncing) {
      requireWhole();
      if (durable >= wanted) {
        return;
      }
      long written = next;
      try {
        target.sync();
      } catch (IOException e) {
        throw failed(e);
      }
      durable = written;
    }
  }

  private void requireWhole() {
    if (failure != null) {
      throw failure;
    }
  }

  private OperatorException failed(IOException cause) {
    failure =
        OperatorException.cluster(
            "the journal "
                + name
                + " cannot be written ("
                + cause.getMessage()
                + "): nothing is moved that it does not have; make room, or give --journal DIR",
            cause);
    return failure;
  }

  /** Makes all lines durable, unless one could not be written; that was told before. */
  @Override
  public void close() throws IOException {
    try {
      if (failure == null) {
        sync();
      }
    } finally {
      target.close();
    }
  }
}
