package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.hdfs.tiers.TierMatcher;
import io.tierwise.policies.movement.LookTimes;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether moves that DataNodes made are in place. One question to the NameNode serves all
 * moves of a file; a file is asked about ever less often while nothing changes. Safe for many
 * threads.
 */
final class Arrivals implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  /** Own: HDFS looks, tells the node, and hears of it in nine seconds; mostly in less. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Nobody need look while nothing is waited for. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final Set<InPlace> DECIDED =
      EnumSet.of(
          InPlace.YES, InPlace.ANOTHER_GONE, InPlace.NO_BLOCK, InPlace.FEWER, InPlace.CHANGED);

  /** Asks the NameNode for a file. */
  @FunctionalInterface
  interface Question {
    HdfsLocatedFileStatus locate(FileToMove file) throws IOException;

    /** HDFS is slow to drop a replica of the block. */
    default void late(LocatedBlock block) {}
  }

  private final Question nameNode;
  private final TierMatcher tiers;
  private final long patienceNanos;
  private final BiConsumer<PlannedMove, InPlace> ended;
  private final LongSupplier nanos;
  private final Map<Long, Watch> watches = new LinkedHashMap<>();
  private boolean stopped;
  private volatile NotAsked notAsked = new NotAsked(Optional.empty());

  private record Waiting(PlannedMove move, long sinceNanos) {}

  /** The moves of a file that are waited for. */
  private static final class Watch {
    final List<Waiting> moves = new ArrayList<>();
    boolean answered = true;

    /** When the NameNode's answers began, or when they ended. */
    long answeredSinceNanos = Long.MIN_VALUE;

    final LookTimes times = new LookTimes();
  }

  Arrivals(
      Question nameNode,
      TierMatcher tiers,
      double patienceSeconds,
      BiConsumer<PlannedMove, InPlace> ended) {
    this(nameNode, tiers, patienceSeconds, ended, System::nanoTime);
  }

  /**
   * Goes by another clock.
   *
   * @param nanos of the clock
   */
  Arrivals(
      Question nameNode,
      TierMatcher tiers,
      double patienceSeconds,
      BiConsumer<PlannedMove, InPlace> ended,
      LongSupplier nanos) {
    this.nameNode = nameNode;
    this.tiers = tiers;
    this.patienceNanos = (long) (patienceSeconds * 1e9);
    this.ended = ended;
    this.nanos = nanos;
  }

  /** Waits for a move; false when nothing is waited for any more. */
  synchronized boolean await(PlannedMove move) {
    if (stopped) {
      return false;
    }
    Watch watch =
        watches.computeIfAbsent(move.work().file().status().getFileId(), id -> new Watch());
    long now = nanos.getAsLong();
    int blocks = move.work().file().status().getLocatedBlocks().locatedBlockCount();
    watch.times.moved(now, blocks);
    watch.moves.add(new Waiting(move, now));
    notify();
    return true;
  }

  /** Why the NameNode could not be asked, the last time. */
  NotAsked notAsked() {
    return notAsked;
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
          watches.values().stream().min(Comparator.comparingLong(watch -> watch.times.nextNanos()));
      long wait = first.isEmpty() ? IDLE_NANOS : first.get().times.nextNanos() - nanos.getAsLong();
      if (first.isPresent() && wait <= 0) {
        Watch watch = first.get();
        watch.times.looked(nanos.getAsLong());
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
      notAsked = NotAsked.of(e);
    }
    note(file, gone || now != null);
    for (PlannedMove move : moves) {
      InPlace how =
          gone ? InPlace.NO_BLOCK : now == null ? InPlace.NOT_ASKED : InPlace.of(move, now, tiers);
      if (how == InPlace.COPIED && isLate(move)) {
        InPlace.blockOf(move.work(), now).ifPresent(nameNode::late);
      }
      if (remove(move, how)) {
        ended.accept(move, how);
      }
    }
  }

  private synchronized boolean isLate(PlannedMove move) {
    Watch watch = watches.get(move.work().file().status().getFileId());
    return watch != null
        && watch.moves.stream()
            .anyMatch(
                one ->
                    one.move().equals(move) && nanos.getAsLong() - one.sinceNanos() > LATE_NANOS);
  }

  /**
   * The patience begins anew when answers end, and when they begin: a NameNode that has just
   * started has yet to hear of the copies.
   */
  private synchronized void note(FileToMove file, boolean answered) {
    Watch watch = watches.get(file.status().getFileId());
    if (watch != null && watch.answered != answered) {
      watch.answered = answered;
      watch.answeredSinceNanos = nanos.getAsLong();
    }
  }

  /** Takes a move off when it is decided; false when it is waited for on, or nobody waits. */
  private synchronized boolean remove(PlannedMove move, InPlace how) {
    long file = move.work().file().status().getFileId();
    Watch watch = watches.get(file);
    if (watch == null) {
      return false;
    }
    boolean decided = DECIDED.contains(how);
    for (Iterator<Waiting> all = watch.moves.iterator(); all.hasNext(); ) {
      Waiting one = all.next();
      long since = Math.max(one.sinceNanos(), watch.answeredSinceNanos);
      boolean late = nanos.getAsLong() - since > patienceNanos;
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
