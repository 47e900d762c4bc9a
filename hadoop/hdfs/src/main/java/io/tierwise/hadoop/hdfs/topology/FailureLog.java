package io.tierwise.hadoop.hdfs.topology;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts a plug-in's own errors and logs the first one; the host goes on with stock behaviour. */
public final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private final String part;
  private final AtomicBoolean logged = new AtomicBoolean();
  private final LongAdder count = new LongAdder();

  /**
   * @param part what failed and what happens instead, for the message
   */
  public FailureLog(String part) {
    this.part = part;
  }

  public void add(String subject, Throwable cause) {
    count.increment();
    if (logged.compareAndSet(false, true)) {
      LOG.warn("{}: {}; further errors are only counted", part, subject, cause);
    }
  }

  public long count() {
    return count.sum();
  }
}
