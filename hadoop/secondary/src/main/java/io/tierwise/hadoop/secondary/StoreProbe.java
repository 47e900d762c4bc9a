package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Opens all stores and asks them for their directories, in a thread of its own: a store that hangs
 * takes the question and never answers, and some clients wait for ever. An error is an answer.
 */
public final class StoreProbe {
  /** Own: the first question to a bucket takes seconds. */
  private static final long ANSWER_SECONDS = 30;

  private static final long LOOK_MILLIS = 100;

  private final Thread thread;
  private final long begunNanos = System.nanoTime();
  private volatile SecondaryStore asked;

  /** The first store's that refused. */
  private volatile Throwable failure;

  /** Of a store whose client ended the question itself. */
  private volatile Silence timedOut;

  /**
   * A store gives no answer.
   *
   * @param seconds for which it has given none
   */
  public record Silence(String store, double seconds) {
    /** For people. */
    @Override
    public String toString() {
      return "the secondary store " + store + " has not answered for " + Words.duration(seconds);
    }
  }

  private StoreProbe(DistributedFileSystem fs, Configuration conf) {
    thread = new Thread(() -> ask(fs, conf), "secondary-probe");
    thread.setDaemon(true);
  }

  /** Begins to ask the stores that the configuration names. */
  public static StoreProbe start(DistributedFileSystem fs, Configuration conf) {
    StoreProbe probe = new StoreProbe(fs, conf);
    probe.thread.start();
    return probe;
  }

  /**
   * Refuses stores that are not there, or are no directory. One that gives no answer may give one
   * later.
   *
   * @return a store that gave none; empty when all did
   * @throws OperatorException one line
   */
  public static Optional<Silence> requireReachable(DistributedFileSystem fs, Configuration conf)
      throws IOException {
    StoreProbe probe = start(fs, conf);
    Optional<String> silent = Optional.empty();
    while (!probe.isAnswered() && silent.isEmpty()) {
      probe.look();
      silent = probe.silent();
    }
    Throwable failure = probe.failure;
    if (failure instanceof OperatorException e) {
      throw e;
    }
    if (failure != null) {
      throw new IOException(
          "the secondary store " + probe.asked + " cannot be asked (" + failure + ")", failure);
    }
    return silent
        .map(store -> new Silence(store, ANSWER_SECONDS))
        .or(() -> Optional.ofNullable(probe.timedOut));
  }

  private void ask(DistributedFileSystem fs, Configuration conf) {
    try (SecondaryTier tier = SecondaryTier.ofNameNode(fs, conf)) {
      for (SecondaryStore store : tier.stores().all()) {
        asked = store;
        ask(store);
      }
    } catch (IOException | RuntimeException | Error e) {
      refused(e);
    }
  }

  private void ask(SecondaryStore store) {
    long nanos = System.nanoTime();
    try {
      SecondaryTier.requireReachable(store);
    } catch (RuntimeException | Error e) {
      if (Stream.iterate(e, cause -> cause != null, Throwable::getCause)
          .anyMatch(SocketTimeoutException.class::isInstance)) {
        timedOut = new Silence(store.toString(), (System.nanoTime() - nanos) / 1e9);
      } else {
        refused(e);
      }
    }
  }

  private void refused(Throwable why) {
    failure = failure == null ? why : failure;
  }

  private void look() throws InterruptedIOException {
    try {
      thread.join(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped");
    }
  }

  /** Whether each store has answered. */
  public boolean isAnswered() {
    return !thread.isAlive();
  }

  /** The store that had half a minute for an answer and gave none; empty before, and for none. */
  public Optional<String> silent() {
    SecondaryStore store = asked;
    return isAnswered()
            || store == null
            || System.nanoTime() - begunNanos < TimeUnit.SECONDS.toNanos(ANSWER_SECONDS)
        ? Optional.empty()
        : Optional.of(store.toString());
  }
}
