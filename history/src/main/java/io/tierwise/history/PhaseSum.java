package io.tierwise.history;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Sums over the tasks of one phase, until they make a {@link Phase}. */
final class PhaseSum {
  /** Own: of a name of DNS. */
  private static final int HOST_CHARACTERS_MAX = 255;

  private final String name;
  private final Map<String, Long> tasksByHost = new TreeMap<>();
  private long endMillis;
  private long taskMillis;
  private long cpuNanos;
  private long readBytes;
  private long writtenBytes;
  private long spilledBytes;
  long taskCount;
  long startMillis;
  long shuffledBytes;

  PhaseSum(String name) {
    this.name = name;
  }

  /** Counts an attempt that ended well; 0 stands for a time that is not known. */
  void addTask(String host, long fromMillis, long toMillis, String where) throws BadRowException {
    if (fromMillis > 0 && toMillis >= fromMillis) {
      startMillis = startMillis == 0 ? fromMillis : Math.min(startMillis, fromMillis);
      endMillis = Math.max(endMillis, toMillis);
      taskMillis = sum(taskMillis, toMillis - fromMillis);
    }
    if (!host.isEmpty()) {
      tasksByHost.merge(TraceException.printable(host, HOST_CHARACTERS_MAX), 1L, Long::sum);
      if (tasksByHost.size() > TraceLimits.HOSTS_MAX) {
        throw new BadRowException(
            where + ": ran on more than " + TraceLimits.HOSTS_MAX + " hosts, is damaged");
      }
    }
  }

  void addBytes(long read, long written, long spilled) {
    readBytes = sum(readBytes, read);
    writtenBytes = sum(writtenBytes, written);
    spilledBytes = sum(spilledBytes, spilled);
  }

  void addShuffled(long bytes) {
    shuffledBytes = sum(shuffledBytes, bytes);
  }

  void addCpuNanos(long nanos) {
    cpuNanos = sum(cpuNanos, nanos);
  }

  /** Saturates just above what a job may have, so that no sum overflows and a check sees it. */
  static long sum(long a, long b) {
    return Math.min(a + b, TraceLimits.BYTES_MAX + 1);
  }

  Phase phase() {
    return new Phase(
        name,
        taskCount,
        startMillis,
        endMillis,
        taskMillis,
        cpuNanos,
        readBytes,
        writtenBytes,
        spilledBytes,
        shuffledBytes,
        Collections.unmodifiableMap(tasksByHost));
  }
}
