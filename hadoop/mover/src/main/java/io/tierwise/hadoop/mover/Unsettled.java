package io.tierwise.hadoop.mover;

import io.tierwise.policies.movement.Hindrance;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocks of which HDFS has yet to copy or to drop a replica, as after a change of their number of
 * replicas. They are looked at again when all others are on their way. Not for many threads.
 */
final class Unsettled {
  private static final Logger LOG = LoggerFactory.getLogger(Unsettled.class);

  /** Own: some megabytes. More are told at once as left. */
  private static final int BLOCKS_MAX = 10_000;

  /**
   * Own: HDFS looks, tells the node, and hears of it in nine seconds. Where nothing changes in
   * twice that, it lacks a node or room, and no wait helps.
   */
  private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(20);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Own: questions take a tenth of the time, but for many blocks. */
  private static final int PAUSE_PER_LOOK = 10;

  private static final long PAUSE_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private static final Set<Hindrance> ENDED_BY_HDFS =
      EnumSet.of(Hindrance.REPLICA_MISSING, Hindrance.REPLICA_TOO_MANY);

  private final Arrivals.Question nameNode;
  private final long patienceNanos;
  private final BooleanSupplier stopped;
  private final Map<Long, List<Waiting>> byFile = new LinkedHashMap<>();
  private int count;

  /** So long the NameNode was asked, and waited for; not so long as blocks were taken. */
  private long waitedNanos;

  /** The same since a block settled, or since answers began or ended. */
  private long stillNanos;

  private boolean answered = true;

  /** Takes the blocks back. */
  interface Taker {
    /** HDFS has done its work. */
    void settled(FileToMove file, int index, LocatedBlock block) throws IOException;

    /** It has not, and nobody waits any more. */
    void hindered(FileToMove file, LocatedBlock block, Hindrance why);
  }

  private record Waiting(BlockWork work, LocatedBlock block, Hindrance why) {}

  /**
   * @param patienceSeconds to wait for all of them
   * @param stopped whether nobody waits any more
   */
  Unsettled(Arrivals.Question nameNode, double patienceSeconds, BooleanSupplier stopped) {
    this.nameNode = nameNode;
    this.patienceNanos = (long) (patienceSeconds * 1e9);
    this.stopped = stopped;
  }

  /** Takes a block that HDFS is at; false for any other one, and when there is no room for it. */
  boolean add(BlockWork work, LocatedBlock block, Hindrance why) {
    if (count == BLOCKS_MAX || !ENDED_BY_HDFS.contains(why)) {
      return false;
    }
    count++;
    byFile
        .computeIfAbsent(work.file().status().getFileId(), id -> new ArrayList<>())
        .add(new Waiting(work, block, why));
    return true;
  }

  /** Waits for HDFS, and hands each block back as it is then. */
  void settle(Taker taker) throws IOException {
    waitedNanos = 0;
    stillNanos = 0;
    while (count > 0 && !stopped.getAsBoolean()) {
      int before = count;
      long askedNanos = look(taker);
      waited(askedNanos);
      if (count < before) {
        stillNanos = 0;
      }
      if (count == 0 || waitedNanos > patienceNanos || (answered && stillNanos > STILL_NANOS)) {
        break;
      }
      pause(askedNanos);
    }
    for (List<Waiting> file : byFile.values()) {
      for (Waiting one : file) {
        Hindrance why = answered ? one.why() : Hindrance.NOT_ASKED;
        taker.hindered(one.work().file(), one.block(), why);
      }
    }
    byFile.clear();
    count = 0;
  }

  private void waited(long nanos) {
    waitedNanos += nanos;
    stillNanos += nanos;
  }

  /** In slices, so that a stop does not wait for its end. */
  private void pause(long askedNanos) throws InterruptedIOException {
    long pause = Math.min(askedNanos * PAUSE_PER_LOOK, PAUSE_NANOS_MAX);
    long left = Math.min(Math.max(pause, PAUSE_NANOS), Math.max(patienceNanos - waitedNanos, 0));
    waited(left);
    try {
      while (left > 0 && !stopped.getAsBoolean()) {
        TimeUnit.NANOSECONDS.sleep(Math.min(left, PAUSE_NANOS));
        left -= PAUSE_NANOS;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("ended while it waited for HDFS");
    }
  }

  /** Looks at all once; so long the NameNode was asked. */
  private long look(Taker taker) throws IOException {
    long askedNanos = 0;
    Iterator<List<Waiting>> files = byFile.values().iterator();
    while (files.hasNext() && !stopped.getAsBoolean()) {
      List<Waiting> file = files.next();
      int before = file.size();
      FileToMove known = file.get(0).work().file();
      HdfsLocatedFileStatus now = null;
      long begun = System.nanoTime();
      boolean answers = true;
      try {
        now = nameNode.locate(known);
      } catch (FileNotFoundException e) {
        file.clear();
      } catch (IOException | RuntimeException e) {
        // A NameNode that fails over or starts again answers later.
        LOG.debug("cannot ask about {}", known.path(), e);
        answers = false;
      }
      askedNanos += System.nanoTime() - begun;
      note(answers);
      if (now != null) {
        look(file, now, taker);
      }
      count -= before - file.size();
      if (file.isEmpty()) {
        files.remove();
      }
      if (!answers) {
        // Nor about the others.
        break;
      }
    }
    return askedNanos;
  }

  /**
   * The wait begins anew when answers end, and when they begin: a NameNode that has just started
   * has yet to hear of replicas.
   */
  private void note(boolean answers) {
    if (answers != answered) {
      answered = answers;
      waitedNanos = 0;
      stillNanos = 0;
    }
  }

  private void look(List<Waiting> blocks, HdfsLocatedFileStatus now, Taker taker)
      throws IOException {
    List<Waiting> still = new ArrayList<>();
    for (Waiting one : blocks) {
      FileToMove file = one.work().file().at(now);
      Optional<LocatedBlock> block = InPlace.blockOf(one.work(), now);
      Optional<Hindrance> why = block.flatMap(found -> Intake.hindrance(file, found));
      if (why.filter(ENDED_BY_HDFS::contains).isPresent()) {
        still.add(new Waiting(one.work(), block.get(), why.get()));
      } else if (block.isPresent()) {
        taker.settled(file, one.work().index(), block.get());
      }
    }
    blocks.clear();
    blocks.addAll(still);
  }
}
