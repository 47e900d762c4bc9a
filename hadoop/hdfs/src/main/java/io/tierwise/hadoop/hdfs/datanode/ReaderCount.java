package io.tierwise.hadoop.hdfs.datanode;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the clients that read one volume or one node, up to a limit. Safe for many threads. */
final class ReaderCount {
  private final String name;
  private final String tier;
  private final int limit;
  private final AtomicInteger now = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final LongAdder refusals = new LongAdder();

  ReaderCount(String name, String tier, int limit) {
    this.name = name;
    this.tier = tier;
    this.limit = limit;
  }

  /** Counts one reader more, unless the limit is reached. */
  boolean tryEnter() {
    int readers = now.get();
    while (readers < limit) {
      if (now.compareAndSet(readers, readers + 1)) {
        notePeak(readers + 1);
        return true;
      }
      readers = now.get();
    }
    return false;
  }

  /** Counts one reader more, whatever the limit. */
  void enter() {
    notePeak(now.incrementAndGet());
  }

  void leave() {
    now.decrementAndGet();
  }

  private void notePeak(int readers) {
    peak.accumulateAndGet(readers, Math::max);
  }

  void refused() {
    refusals.increment();
  }

  String name() {
    return name;
  }

  String tier() {
    return tier;
  }

  int limit() {
    return limit;
  }

  int readers() {
    return now.get();
  }

  int peakReaders() {
    return peak.get();
  }

  long refusalCount() {
    return refusals.sum();
  }
}
