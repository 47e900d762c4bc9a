package io.tierwise.policies.scheduling;

import java.util.Iterator;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;

/**
 * Jobs in order of a number, ties in order of submission. A job's number is looked up when the job
 * comes and when it changed, never in between: so a look at the first job costs the same whatever
 * waits, and the order is sound while numbers change.
 */
final class KeyedJobs implements JobQueue {
  private record Entry(double key, int job) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byKey = Double.compare(key, other.key);
      return byKey != 0 ? byKey : Integer.compare(job, other.job);
    }
  }

  private final IntToDoubleFunction keyOf;
  private final TreeMap<Integer, Entry> entries = new TreeMap<>();
  private final TreeSet<Entry> order = new TreeSet<>();

  /** No job waits; {@code keyOf} gives a job's number, less is sooner. */
  KeyedJobs(IntToDoubleFunction keyOf) {
    this.keyOf = keyOf;
  }

  @Override
  public void add(int job) {
    if (!entries.containsKey(job)) {
      put(job);
    }
  }

  private void put(int job) {
    Entry entry = new Entry(keyOf.applyAsDouble(job), job);
    entries.put(job, entry);
    order.add(entry);
  }

  @Override
  public void remove(int job) {
    Entry entry = entries.remove(job);
    if (entry != null) {
      order.remove(entry);
    }
  }

  @Override
  public void changed(int job) {
    Entry entry = entries.get(job);
    if (entry != null && entry.key() != keyOf.applyAsDouble(job)) {
      order.remove(entry);
      put(job);
    }
  }

  @Override
  public PrimitiveIterator.OfInt inOrder() {
    Iterator<Entry> sorted = order.iterator();
    return new PrimitiveIterator.OfInt() {
      @Override
      public boolean hasNext() {
        return sorted.hasNext();
      }

      @Override
      public int nextInt() {
        return sorted.next().job();
      }
    };
  }
}
