package io.tierwise.hadoop.hdfs.namenode;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/**
 * Says each thing once. Bounded: when too many things were said, it forgets and says them again.
 */
final class OnceLog {
  private static final int SAID_MAX = 1000;

  private final Logger log;
  private final Set<String> said = ConcurrentHashMap.newKeySet();

  OnceLog(Logger log) {
    this.log = log;
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
    if (said.size() >= SAID_MAX) {
      said.clear();
    }
    return said.add(key);
  }
}
