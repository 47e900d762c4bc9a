package io.tierwise.hadoop.hdfs.audit;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import io.tierwise.policies.heat.HeatMap;
import io.tierwise.policies.heat.HeatSettings;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the accesses of a NameNode on a thread of its own. The threads that serve calls only put
 * an access into a bounded queue: a full one drops it, and the drop is counted.
 */
final class AccessFeed {
  private static final Logger LOG = LoggerFactory.getLogger(AccessFeed.class);

  /** Own: 50 looks a second at an empty queue cost nothing, and a full one holds for longer. */
  private static final long IDLE_NANOS = 20_000_000;

  /** Accesses that are counted before a question gets its turn. */
  private static final int BATCH = 1_024;

  /** Windows are made of 16 of the shortest. */
  private static final int LEVEL = 4;

  private record Noted(
      long timeMillis, AccessKind kind, String path, String destination, long reader) {}

  private final EventRing<Noted> ring;
  private final HeatMap heat;
  private final long sinceMillis = Time.now();
  private final LongAdder taken = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final PathBytes path = new PathBytes();
  private final PathBytes destination = new PathBytes();

  AccessFeed(FeedSettings settings) {
    ring = new EventRing<>(settings.queueEvents());
    long baseMillis = Math.max(1_000, (settings.windowSeconds() * 1_000L) >> LEVEL);
    heat = new HeatMap(HeatSettings.of(baseMillis, settings.filesMax()));
  }

  /**
   * Begins to count.
   *
   * @param owner the thread ends when nobody holds it any more: a NameNode closes no audit logger
   */
  void start(Object owner) {
    WeakReference<Object> held = new WeakReference<>(owner);
    Thread thread =
        new Thread(
            () -> {
              while (held.get() != null) {
                if (!count()) {
                  LockSupport.parkNanos(IDLE_NANOS);
                }
              }
            },
            "tierwise-access-feed");
    thread.setDaemon(true);
    thread.start();
  }

  /** Notes an access; never waits. */
  void note(long timeMillis, AccessKind kind, String path, String destination, long reader) {
    if (ring.offer(new Noted(timeMillis, kind, path, destination, reader))) {
      taken.increment();
    } else {
      dropped.increment();
    }
  }

  /** An access was lost to an error of ours. */
  void failed(Throwable e) {
    if (failed.sum() == 0) {
      LOG.warn("An access was not counted; further ones are counted silently", e);
    }
    failed.increment();
  }

  /** Counts what waits; says whether there was something. */
  private boolean count() {
    synchronized (heat) {
      for (int i = 0; i < BATCH; i++) {
        Noted noted = ring.poll();
        if (noted == null) {
          return i > 0;
        }
        count(noted);
      }
    }
    return true;
  }

  private void count(Noted noted) {
    try {
      path.set(noted.path());
      destination.set(noted.destination());
      heat.accessed(noted.timeMillis(), noted.kind(), path, destination, noted.reader());
    } catch (RuntimeException | Error e) {
      // Whatever it is, the next access is counted: a thread that ended would drop all further
      // ones.
      failed(e);
    }
  }

  /** Asks the counts something; nothing is counted meanwhile. */
  <T> T ask(Function<HeatMap, T> question) {
    synchronized (heat) {
      return question.apply(heat);
    }
  }

  HeatCalls.Answer answer(HeatCalls.Question question) {
    HeatCalls.Feed feed = new HeatCalls.Feed(taken(), dropped(), failures(), sinceMillis);
    return ask(
        counts -> HeatCalls.Answer.of(question, counts.report(LEVEL), counts.totals(), feed));
  }

  int queued() {
    return ring.size();
  }

  long taken() {
    return taken.sum();
  }

  long dropped() {
    return dropped.sum();
  }

  long failures() {
    return failed.sum();
  }
}
