package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.tiers.TierMatcher;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether moves that DataNodes made are in place. One question to the NameNode serves all
 * moves of a file; a file is asked about ever less often while nothing changes. Safe for many
 * threads.
 */
final class Arrivals implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);
  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * Own: an answer has all blocks of the file, so a long file is asked about less often: 20,000
   * blocks a second at most.
   */
  private static final long NANOS_PER_BLOCK = TimeUnit.MICROSECONDS.toNanos(50);

  /** Asks the NameNode for a file. */
  @FunctionalInterface
  interface Question {
    HdfsLocatedFileStatus locate(FileToMove file) throws IOException;
  }

  private final Question nameNode;
  private final TierMatcher tiers;
  private final long patienceNanos;
  private final BiConsumer<PlannedMove, InPlace> ended;
  private final Map<Long, Watch> watches = new LinkedHashMap<>();
  private boolean stopped;

  private record Waiting(PlannedMove move, long sinceNanos) {}

  /** The moves of a file that are waited for. */
  private static final class Watch {
    final List<Waiting> moves = new ArrayList<>();
    boolean answered = true;

    /** When the NameNode's answers began, or when they ended. */
    long answeredSinceNanos = Long.MIN_VALUE;

    long delayNanos;
    long nextNanos;
  }

  Arrivals(
      Question nameNode,
      TierMatcher tiers,
      double patienceSeconds,
      BiConsumer<PlannedMove, InPlace> ended) {
    this.nameNode = nameNode;
    this.tiers = tiers;
    this.patienceNanos = (long) (patienceSeconds * 1e9);
    this.ended = ended;
  }

  /** Waits for a move; false when nothing is waited for any more. */
  synchronized boolean await(PlannedMove move) {
    if (stopped) {
      return false;
    }
    Watch watch =
        watches.computeIfAbsent(move.work().file().status().getFileId(), id -> new Watch());
    long now = System.nanoTime();
    boolean only = watch.moves.isEmpty();
    watch.moves.add(new Waiting(move, now));
    watch.delayNanos = firstNanos(move.work().file().status());
    // Moves that follow each other closely do not put the look off.
    long next = now + watch.delayNanos;
    watch.nextNanos = only ? next : Math.min(watch.nextNanos, next);
    notify();
    return true;
  }

  /** How long after a move its file is asked about first. */
  static long firstNanos(HdfsLocatedFileStatus file) {
    return FIRST_NANOS + NANOS_PER_BLOCK * file.getLocatedBlocks().locatedBlockCount();
  }

  /** Ends the waiting; the moves that were waited for. */
  synchronized List<PlannedMove> stop() {
    stopped = true;
    notify();
    List<PlannedMove> left = new ArrayList<>();
    watches.values().forEach(watch -> watch.moves.forEach(one -> left.add(one.move())));
    watches.clear();
    return left;
  }

  @Override
  public void run() {
    try {
      for (List<PlannedMove> due = due(); !due.isEmpty(); due = due()) {
        look(due);
      }
    } catch (InterruptedException e) {
      // The run is over.
      Thread.currentThread().interrupt();
    }
  }

  /** The moves of the file whose turn it is; empty when the waiting has ended. */
  private synchronized List<PlannedMove> due() throws InterruptedException {
    while (!stopped) {
      Optional<Watch> first =
          watches.values().stream().min(Comparator.comparingLong(watch -> watch.nextNanos));
      long wait = first.isEmpty() ? LAST_NANOS : first.get().nextNanos - System.nanoTime();
      if (first.isPresent() && wait <= 0) {
        Watch watch = first.get();
        watch.delayNanos = Math.max(watch.delayNanos, Math.min(2 * watch.delayNanos, LAST_NANOS));
        watch.nextNanos = System.nanoTime() + watch.delayNanos;
        return watch.moves.stream().map(Waiting::move).toList();
      }
      wait(TimeUnit.NANOSECONDS.toMillis(Math.max(wait, 0)) + 1);
    }
    return List.of();
  }

  private void look(List<PlannedMove> moves) {
    FileToMove file = moves.get(0).work().file();
    HdfsLocatedFileStatus now = null;
    boolean gone = false;
    try {
      now = nameNode.locate(file);
    } catch (FileNotFoundException e) {
      gone = true;
    } catch (IOException | RuntimeException e) {
      // A NameNode that fails over or starts again answers later; nobody else looks.
      LOG.debug("cannot ask about {}", file.path(), e);
    }
    note(file, gone || now != null);
    for (PlannedMove move : moves) {
      InPlace how =
          gone ? InPlace.NO_BLOCK : now == null ? InPlace.NOT_ASKED : InPlace.of(move, now, tiers);
      if (remove(move, how)) {
        ended.accept(move, how);
      }
    }
  }

  /**
   * The patience begins anew when answers end, and when they begin: a NameNode that has just
   * started has yet to hear of the copies.
   */
  private synchronized void note(FileToMove file, boolean answered) {
    Watch watch = watches.get(file.status().getFileId());
    if (watch != null && watch.answered != answered) {
      watch.answered = answered;
      watch.answeredSinceNanos = System.nanoTime();
    }
  }

  /** Takes a move off when it is decided; false when it is waited for on, or nobody waits. */
  private synchronized boolean remove(PlannedMove move, InPlace how) {
    long file = move.work().file().status().getFileId();
    Watch watch = watches.get(file);
    if (watch == null) {
      return false;
    }
    boolean decided = how == InPlace.YES || how == InPlace.NO_BLOCK || how == InPlace.FEWER;
    for (Iterator<Waiting> all = watch.moves.iterator(); all.hasNext(); ) {
      Waiting one = all.next();
      long since = Math.max(one.sinceNanos(), watch.answeredSinceNanos);
      boolean late = System.nanoTime() - since > patienceNanos;
      if (one.move().equals(move) && (decided || late)) {
        all.remove();
        if (watch.moves.isEmpty()) {
          watches.remove(file);
        }
        return true;
      }
    }
    return false;
  }
}
