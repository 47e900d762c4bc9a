package io.tierwise.hadoop.secondary;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Asks all stores for their directories, in a thread of its own: a store that hangs takes the
 * question and never answers, and some clients wait for ever. An error is an answer.
 */
public final class StoreProbe {
  /** Own: the first question to a bucket takes seconds. */
  private static final long ANSWER_SECONDS = 30;

  private static final long LOOK_MILLIS = 100;

  private final Thread thread;
  private final long begunNanos = System.nanoTime();
  private volatile SecondaryStore asked;

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
   * Refuses stores that are not there, do not answer, or are no directory.
   *
   * @throws OperatorException one line
   */
  public static void requireReachable(DistributedFileSystem fs, Configuration conf)
      throws IOException {
    StoreProbe probe = start(fs, conf);
    while (!probe.isAnswered()) {
      probe.look();
      Optional<String> silent = probe.silent();
      if (silent.isPresent()) {
        throw OperatorException.cluster(
            silence(silent.get(), ANSWER_SECONDS) + ": see whether it hangs", null);
      }
    }
    try (SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      tier.requireReachable();
    }
  }

  /** Says for people that a store does not answer. */
  public static String silence(String store, double seconds) {
    return "the secondary store " + store + " has not answered for " + Words.duration(seconds);
  }

  private void ask(DistributedFileSystem fs, Configuration conf) {
    try (SecondaryTier tier = SecondaryTier.of(fs, conf)) {
      for (SecondaryStore store : tier.stores().all()) {
        asked = store;
        ask(store);
      }
    } catch (IOException | OperatorException e) {
      return;
    }
  }

  private static void ask(SecondaryStore store) {
    try {
      store.fs().getFileStatus(store.root());
    } catch (IOException | RuntimeException e) {
      return;
    }
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
