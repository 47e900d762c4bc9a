package io.tierwise.hadoop.hdfs.client;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The strategy that directories name in their extended attribute, inherited downwards. Each
 * directory is asked for once in a while; the directories used least recently are forgotten, and so
 * is what this client itself changes.
 */
final class AttributeCache {
  /** Asks HDFS for a directory's own attribute. */
  interface Source {
    /** The value, or null when the directory has none or it cannot be read. */
    String attributeOf(String directory);
  }

  private record Entry(String value, long expiryNanos) {}

  private final Source source;
  private final long expiryNanos;
  private final LongSupplier clockNanos;
  private final Map<String, Entry> entries;

  /** The directories asked for right now, each with its newest question; guarded by the entries. */
  private final Map<String, Object> questions = new HashMap<>();

  AttributeCache(Source source, int entriesMax, long expiryNanos, LongSupplier clockNanos) {
    this.source = source;
    this.expiryNanos = expiryNanos;
    this.clockNanos = clockNanos;
    this.entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Entry> eldest) {
            return size() > entriesMax;
          }
        };
  }

  /** The attribute of the nearest directory above the path that has one, or null. */
  String inheritedBy(String path) {
    String directory = path;
    while (directory.length() > 1) {
      int slash = directory.lastIndexOf('/');
      directory = slash <= 0 ? "/" : directory.substring(0, slash);
      String value = ownOf(directory);
      if (value != null) {
        return value;
      }
    }
    return null;
  }

  /** Forgets the path and all below it: to be called after this process has changed it. */
  void forget(String path) {
    String below = path.endsWith("/") ? path : path + "/";
    synchronized (entries) {
      Predicate<String> changed = known -> known.equals(path) || known.startsWith(below);
      entries.keySet().removeIf(changed);
      questions.keySet().removeIf(changed);
    }
  }

  private String ownOf(String directory) {
    long now = clockNanos.getAsLong();
    Object question = new Object();
    synchronized (entries) {
      Entry known = entries.get(directory);
      if (known != null && known.expiryNanos - now > 0) {
        return known.value;
      }
      questions.put(directory, question);
    }
    // Outside the lock: two threads may ask at once, which is cheaper than one waiting for the
    // other.
    Entry answer = null;
    try {
      answer = new Entry(source.attributeOf(directory), now + expiryNanos);
      return answer.value;
    } finally {
      synchronized (entries) {
        // The answer may be older than a change that came meanwhile: it serves this caller alone.
        if (questions.remove(directory, question) && answer != null) {
          entries.put(directory, answer);
        }
      }
    }
  }
}
