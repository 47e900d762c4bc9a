package io.tierwise.hadoop.hdfs;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says each thing once, and counts a plug-in's own errors. Bounded in memory and in lines, since
 * users can make up as many things as they like: when too many were said, others are left out for
 * an hour, and then all is forgotten.
 */
public final class OnceLog {
  static final int SAID_MAX = 1000;
  static final long LEFT_OUT_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Logger log;
  private final String part;
  private final LongSupplier clockNanos;
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private final LongAdder failures = new LongAdder();
  private boolean full;
  private long fullSinceNanos;

  public OnceLog(Logger log) {
    this(log, "", System::nanoTime);
  }

  /**
   * @param part what fails and what happens instead, for {@link #failed}
   */
  public OnceLog(String part) {
    this(LoggerFactory.getLogger(OnceLog.class), part, System::nanoTime);
  }

  OnceLog(Logger log, String part, LongSupplier clockNanos) {
    this.log = log;
    this.part = part;
    this.clockNanos = clockNanos;
  }

  /** Warns with {@code message} unless something was said about {@code key}. */
  public void warn(String key, String message) {
    if (isNew(key)) {
      log.warn(message);
    }
  }

  /** As above, with the error's trace. */
  public void warn(String key, String message, Throwable error) {
    if (isNew(key)) {
      log.warn(message, error);
    }
  }

  /** Counts an error and logs the first one; the host goes on with stock behaviour. */
  public void failed(String subject, Throwable cause) {
    failures.increment();
    if (isNew(part)) {
      log.warn("{}: {}; further errors are only counted", part, subject, cause);
    }
  }

  /** Errors that were counted. */
  public long failureCount() {
    return failures.sum();
  }

  private boolean isNew(String key) {
    return !said.contains(key) && add(key);
  }

  private synchronized boolean add(String key) {
    if (said.size() >= SAID_MAX) {
      if (!full) {
        full = true;
        fullSinceNanos = clockNanos.getAsLong();
        log.warn("{} different warnings were said; others are left out for an hour", SAID_MAX);
        return false;
      }
      if (clockNanos.getAsLong() - fullSinceNanos < LEFT_OUT_NANOS) {
        return false;
      }
      said.clear();
      full = false;
    }
    return said.add(key);
  }
}
