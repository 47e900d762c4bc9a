package io.tierwise.hadoop.hdfs.namenode;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Files for which a decision has just given up a wish. The monitor need not find them on its walk.
 * Bounded: the walk finds files beyond {@code FILES_MAX}.
 */
final class LearnedFiles {
  private static final int FILES_MAX = 4_096;

  /** Own: replicas are reported within seconds of the decision; a file may be written for long. */
  private static final long[] LOOK_NANOS = {
    TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(60)
  };

  private final ArrayBlockingQueue<Long> told = new ArrayBlockingQueue<>(FILES_MAX);
  private final Map<Long, Look> waiting = new LinkedHashMap<>();

  private record Look(int number, long dueNanos) {}

  /** Called by deciding threads; never waits. */
  void tell(long fileId) {
    told.offer(fileId);
  }

  /**
   * Whether a decision told of the file lately: a walk may come by before its look is due. For the
   * monitor's thread, as all below.
   */
  boolean knows(long fileId, long nowNanos) {
    takeIn(nowNanos);
    return waiting.containsKey(fileId);
  }

  private void takeIn(long nowNanos) {
    for (Long file = told.poll(); file != null; file = told.poll()) {
      if (waiting.size() < FILES_MAX) {
        waiting.putIfAbsent(file, new Look(0, nowNanos + LOOK_NANOS[0]));
      }
    }
  }

  /** The files to look at now. */
  List<Long> due(long nowNanos) {
    takeIn(nowNanos);
    List<Long> due = new ArrayList<>();
    List<Map.Entry<Long, Look>> again = new ArrayList<>();
    for (Iterator<Map.Entry<Long, Look>> all = waiting.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Long, Look> entry = all.next();
      if (entry.getValue().dueNanos() - nowNanos <= 0) {
        due.add(entry.getKey());
        int next = entry.getValue().number() + 1;
        if (next < LOOK_NANOS.length) {
          again.add(Map.entry(entry.getKey(), new Look(next, nowNanos + LOOK_NANOS[next])));
        }
        all.remove();
      }
    }
    again.forEach(entry -> waiting.put(entry.getKey(), entry.getValue()));
    return due;
  }

  void clear() {
    told.clear();
    waiting.clear();
  }
}
