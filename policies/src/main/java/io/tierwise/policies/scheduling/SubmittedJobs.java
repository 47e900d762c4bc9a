package io.tierwise.policies.scheduling;

import java.util.Iterator;
import java.util.PrimitiveIterator;
import java.util.TreeSet;

/** Jobs in order of submission, whatever runs. */
final class SubmittedJobs implements JobQueue {
  private final TreeSet<Integer> jobs = new TreeSet<>();

  @Override
  public void add(int job) {
    jobs.add(job);
  }

  @Override
  public void remove(int job) {
    jobs.remove(job);
  }

  @Override
  public void changed(int job) {
    // The order of submission stays.
  }

  @Override
  public PrimitiveIterator.OfInt inOrder() {
    Iterator<Integer> sorted = jobs.iterator();
    return new PrimitiveIterator.OfInt() {
      @Override
      public boolean hasNext() {
        return sorted.hasNext();
      }

      @Override
      public int nextInt() {
        return sorted.next();
      }
    };
  }
}
