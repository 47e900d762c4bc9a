package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;
import io.tierwise.policies.scheduling.CapacityOrder.Share;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Jobs in lines, one for each queue, and the lines in order of their loads. When tasks begin or
 * end, one line moves; the jobs in it stay where they are.
 */
final class CapacityQueue implements JobQueue {
  private static final int NOWHERE = -1;

  /** A queue's jobs that wait. */
  private static final class Line {
    final int queue;
    final Share share;
    final TreeSet<Integer> jobs = new TreeSet<>();
    double load;
    int first;

    /** In the order of lines. */
    int place = NOWHERE;

    Line(int queue, Share share) {
      this.queue = queue;
      this.share = share;
    }

    boolean isBefore(Line other) {
      return compare(load, first, other.load, other.first) < 0;
    }
  }

  private final CapacityOrder order;
  private final WorkView work;

  /** By queue; null for one in which no job has waited. */
  private final List<Line> lines = new ArrayList<>();

  /** Those in which jobs wait. */
  private final List<Line> sorted = new ArrayList<>();

  CapacityQueue(CapacityOrder order, WorkView work) {
    this.order = order;
    this.work = work;
  }

  private static int compare(double load, int first, double otherLoad, int otherFirst) {
    int byLoad = Double.compare(load, otherLoad);
    return byLoad != 0 ? byLoad : Integer.compare(first, otherFirst);
  }

  private Line lineOf(int job) {
    int queue = work.queueOf(job);
    while (lines.size() <= queue) {
      lines.add(null);
    }
    if (lines.get(queue) == null) {
      lines.set(queue, new Line(queue, order.shareOf(work.queueName(queue))));
    }
    return lines.get(queue);
  }

  @Override
  public void add(int job) {
    Line line = lineOf(job);
    line.jobs.add(job);
    line.first = line.jobs.first();
    if (line.place == NOWHERE) {
      line.place = sorted.size();
      sorted.add(line);
    }
    sort(line);
  }

  @Override
  public void remove(int job) {
    Line line = lineOf(job);
    if (!line.jobs.remove(job)) {
      return;
    }
    if (line.jobs.isEmpty()) {
      takeOut(line);
    } else {
      line.first = line.jobs.first();
      sort(line);
    }
  }

  @Override
  public void changed(int job) {
    Line line = lineOf(job);
    if (!line.jobs.isEmpty()) {
      sort(line);
    }
  }

  private void takeOut(Line line) {
    sorted.remove(line.place);
    for (int place = line.place; place < sorted.size(); place++) {
      sorted.get(place).place = place;
    }
    line.place = NOWHERE;
  }

  /** A task that begins or ends changes a load by little: a line seldom passes another one. */
  private void sort(Line line) {
    line.load = CapacityOrder.load(work.runningInQueue(line.queue), line.share);
    int place = line.place;
    while (place > 0 && line.isBefore(sorted.get(place - 1))) {
      put(sorted.get(place - 1), place);
      place--;
    }
    while (place < sorted.size() - 1 && sorted.get(place + 1).isBefore(line)) {
      put(sorted.get(place + 1), place);
      place++;
    }
    put(line, place);
  }

  private void put(Line line, int place) {
    sorted.set(place, line);
    line.place = place;
  }

  private boolean isAtCeiling(Line line) {
    return line.share.mostPercent() < 100
        && work.runningInQueue(line.queue) >= CapacityOrder.ceiling(line.share, work);
  }

  @Override
  public boolean holdsBack() {
    return sorted.stream().anyMatch(this::isAtCeiling);
  }

  @Override
  public PrimitiveIterator.OfInt inOrder() {
    return new Merge(sorted.iterator());
  }

  /** A line as far as it was walked. */
  private static final class Walk implements Comparable<Walk> {
    final double load;
    final Iterator<Integer> jobs;
    int job;

    Walk(Line line) {
      this.load = line.load;
      this.jobs = line.jobs.iterator();
      this.job = jobs.next();
    }

    @Override
    public int compareTo(Walk other) {
      return compare(load, job, other.load, other.job);
    }
  }

  /** Walks the lines of equal load together, and takes up a line only when its turn comes. */
  private final class Merge implements PrimitiveIterator.OfInt {
    private final Iterator<Line> untouched;
    private final PriorityQueue<Walk> walks = new PriorityQueue<>(4);
    private Line next;

    Merge(Iterator<Line> untouched) {
      this.untouched = untouched;
      advance();
    }

    private void advance() {
      next = null;
      while (next == null && untouched.hasNext()) {
        Line line = untouched.next();
        next = isAtCeiling(line) ? null : line;
      }
    }

    @Override
    public boolean hasNext() {
      return next != null || !walks.isEmpty();
    }

    @Override
    public int nextInt() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Walk front = walks.peek();
      if (next != null
          && (front == null || compare(next.load, next.first, front.load, front.job) < 0)) {
        walks.add(new Walk(next));
        advance();
      }
      Walk walk = walks.remove();
      int job = walk.job;
      if (walk.jobs.hasNext()) {
        walk.job = walk.jobs.next();
        walks.add(walk);
      }
      return job;
    }
  }
}
