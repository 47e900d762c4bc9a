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

  private static final long PAUSE_MILLIS = 500;

  /** Own: questions take a tenth of the time at most. */
  private static final int PAUSE_PER_LOOK = 10;

  private static final Set<Hindrance> ENDED_BY_HDFS =
      EnumSet.of(Hindrance.REPLICA_MISSING, Hindrance.REPLICA_TOO_MANY);

  private final Arrivals.Question nameNode;
  private final long patienceNanos;
  private final BooleanSupplier stopped;
  private final Map<Long, List<Waiting>> byFile = new LinkedHashMap<>();
  private int count;

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
    long start = System.nanoTime();
    long changed = start;
    while (count > 0 && !stopped.getAsBoolean()) {
      long now = System.nanoTime();
      if (now - start > patienceNanos || now - changed > STILL_NANOS) {
        break;
      }
      int before = count;
      look(taker);
      if (count < before) {
        changed = System.nanoTime();
      }
      pause(System.nanoTime() - now);
    }
    for (List<Waiting> file : byFile.values()) {
      for (Waiting one : file) {
        taker.hindered(one.work().file(), one.block(), one.why());
      }
    }
    byFile.clear();
    count = 0;
  }

  private void pause(long lookNanos) throws InterruptedIOException {
    if (count == 0) {
      return;
    }
    try {
      long busy = TimeUnit.NANOSECONDS.toMillis(lookNanos) * PAUSE_PER_LOOK;
      Thread.sleep(Math.max(PAUSE_MILLIS, busy));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("ended while it waited for HDFS");
    }
  }

  private void look(Taker taker) throws IOException {
    Iterator<List<Waiting>> files = byFile.values().iterator();
    while (files.hasNext() && !stopped.getAsBoolean()) {
      List<Waiting> file = files.next();
      int before = file.size();
      FileToMove known = file.get(0).work().file();
      HdfsLocatedFileStatus now = null;
      try {
        now = nameNode.locate(known);
      } catch (FileNotFoundException e) {
        file.clear();
      } catch (IOException e) {
        // A NameNode that fails over or starts again answers later.
        LOG.debug("cannot ask about {}", known.path(), e);
      }
      if (now != null) {
        look(file, now, taker);
      }
      count -= before - file.size();
      if (file.isEmpty()) {
        files.remove();
      }
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
