package io.tierwise.policies.scheduling;

import io.tierwise.core.view.WorkView;
import io.tierwise.core.work.Job;
import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.TreeSet;

/**
 * The smallest job, which makes the mean response short; a job that was submitted longer ago than
 * {@code overtakeSeconds} is overtaken no more.
 *
 * <p>Source: shortest job first; by the whole size and not by what is left, so that the loss is
 * bounded for any error of the sizes. Own: the bound on being overtaken, after which jobs go in
 * order of submission. A job of unknown size goes first: what its tasks take tells of the next one.
 *
 * @param by the measure of a job's size
 */
public record SmallestFirstOrder(int overtakeSeconds, Size by) implements JobOrder {
  /** How large a job is. */
  public enum Size {
    /** The bytes that it moves in all. */
    BYTES("fewest bytes"),
    /** The seconds of slots that it needs, by what its application's tasks took before. */
    SECONDS("fewest seconds of slots"),
    /** The seconds of its longest chain of stages, likewise: where slots are not what is short. */
    PATH("shortest chain of stages");

    private final String text;

    Size(String text) {
      this.text = text;
    }

    private double of(Job job) {
      double size =
          switch (this) {
            case BYTES -> (double) job.totalBytes();
            case SECONDS -> job.slotSeconds();
            case PATH -> job.pathSeconds();
          };
      return Double.isNaN(size) ? 0 : size;
    }
  }

  static final String NAME = "smallest-first";

  /** Own: ten minutes; not measured. */
  static final SmallestFirstOrder DEFAULT = new SmallestFirstOrder(600, Size.BYTES);

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final String OVERTAKE = "overtake-seconds";
  private static final String BY = "by";

  static SmallestFirstOrder of(SpecReader settings) {
    return new SmallestFirstOrder(
        settings.integer(OVERTAKE, DEFAULT.overtakeSeconds, 0, 1_000_000),
        settings.choice(BY, DEFAULT.by));
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME)
        .add(OVERTAKE, overtakeSeconds, DEFAULT.overtakeSeconds)
        .add(BY, by, DEFAULT.by)
        .toString();
  }

  @Override
  public JobQueue newQueue(WorkView work) {
    return new Aging(work);
  }

  @Override
  public double score(int job, WorkView work) {
    return isOld(job, work) ? Double.NEGATIVE_INFINITY : size(job, work);
  }

  private double size(int job, WorkView work) {
    return by.of(work.job(job));
  }

  private boolean isOld(int job, WorkView work) {
    return work.nowNanos() - work.job(job).submittedNanos() > overtakeSeconds * NANOS_PER_SECOND;
  }

  @Override
  public String rule() {
    return by.text + ", or overtaken for too long";
  }

  /** The old ones in order of submission, then the others by size. */
  private final class Aging implements JobQueue {
    private final WorkView work;
    private final KeyedJobs bySize;
    private final TreeSet<Integer> byAge = new TreeSet<>();

    Aging(WorkView work) {
      this.work = work;
      this.bySize = new KeyedJobs(job -> size(job, work));
    }

    @Override
    public void add(int job) {
      bySize.add(job);
      byAge.add(job);
    }

    @Override
    public void remove(int job) {
      bySize.remove(job);
      byAge.remove(job);
    }

    @Override
    public void changed(int job) {
      // Neither size nor age follows from what runs.
    }

    @Override
    public PrimitiveIterator.OfInt inOrder() {
      Iterator<Integer> oldest = byAge.iterator();
      PrimitiveIterator.OfInt smallest = bySize.inOrder();
      return new PrimitiveIterator.OfInt() {
        private boolean oldAreOver;
        private int next = advance();

        private int advance() {
          if (!oldAreOver && oldest.hasNext()) {
            int job = oldest.next();
            if (isOld(job, work)) {
              return job;
            }
          }
          oldAreOver = true;
          while (smallest.hasNext()) {
            int job = smallest.nextInt();
            if (!isOld(job, work)) {
              return job;
            }
          }
          return WorkView.NONE;
        }

        @Override
        public boolean hasNext() {
          return next != WorkView.NONE;
        }

        @Override
        public int nextInt() {
          if (next == WorkView.NONE) {
            throw new NoSuchElementException();
          }
          int job = next;
          next = advance();
          return job;
        }
      };
    }
  }
}
