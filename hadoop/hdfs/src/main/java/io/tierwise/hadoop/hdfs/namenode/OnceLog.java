package io.tierwise.hadoop.hdfs.namenode;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Says each thing once. Bounded in memory and in lines, since users can make up as many things as
 * they like: when too many were said, others are left out for an hour, and then all is forgotten.
 */
final class OnceLog {
  static final int SAID_MAX = 1000;
  static final long LEFT_OUT_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Logger log;
  private final LongSupplier clockNanos;
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private boolean full;
  private long fullSinceNanos;

  OnceLog(Logger log) {
    this(log, System::nanoTime);
  }

  OnceLog(Logger log, LongSupplier clockNanos) {
    this.log = log;
    this.clockNanos = clockNanos;
  }

  /** Warns with {@code message} unless something was said about {@code key}. */
  void warn(String key, String message) {
    if (isNew(key)) {
      log.warn(message);
    }
  }

  /** As above, with the error's trace. */
  void warn(String key, String message, Throwable error) {
    if (isNew(key)) {
      log.warn(message, error);
    }
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
