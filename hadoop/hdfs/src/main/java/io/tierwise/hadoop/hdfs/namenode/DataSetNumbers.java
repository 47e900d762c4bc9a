package io.tierwise.hadoop.hdfs.namenode;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * The numbers of one data set's blocks: which comes next, which were given out and are not stored
 * yet, which came back.
 *
 * <p>At rest {@code next} = blocks stored + numbers open + numbers returned. The monitor is held
 * for a few steps only, and no lock of the namesystem is taken inside it.
 */
final class DataSetNumbers {
  private final Map<Long, Given> latestOfFile = new HashMap<>();
  private final TreeSet<Long> returned = new TreeSet<>();
  private long next = -1;
  private long turn;

  /**
   * A number that was given out for a file that had {@code blockCount} blocks then.
   *
   * @param turn tells two times apart that the same number was given for the same block
   */
  record Given(long index, int blockCount, long turn) {}

  /** The fate of the block for which a file's latest number was given. */
  enum State {
    PENDING,
    STORED,
    STORED_AND_CLOSED,
    LOST
  }

  /** Begins behind so many blocks, unless it has begun already. */
  synchronized void start(long blocks) {
    if (next < 0) {
      next = blocks;
    }
  }

  synchronized boolean isStarted() {
    return next >= 0;
  }

  /**
   * The number for the block that a file is about to get: for a block that was asked for before the
   * same one, else the lowest that came back, else the next one.
   *
   * @param blockCount blocks that the file has by now
   */
  synchronized long give(long fileId, int blockCount) {
    turn++;
    Given latest = latestOfFile.get(fileId);
    long index;
    if (latest != null && blockCount <= latest.blockCount()) {
      index = latest.index();
    } else {
      Long free = returned.pollFirst();
      index = free != null ? free : next++;
    }
    latestOfFile.put(fileId, new Given(index, blockCount, turn));
    return index;
  }

  /** Grows with each number given: equal turns mean that none was given in between. */
  synchronized long turn() {
    return turn;
  }

  /** The latest number of each file that may still get its block. */
  synchronized Map<Long, Given> given() {
    return Map.copyOf(latestOfFile);
  }

  /**
   * Forgets a file whose block is stored for good, and takes back the number of a lost one. Without
   * effect when the file asked again since {@code given} was read: then its state is out of date.
   */
  synchronized void settle(long fileId, Given given, State state) {
    boolean over = state == State.LOST || state == State.STORED_AND_CLOSED;
    if (over && latestOfFile.remove(fileId, given) && state == State.LOST) {
      returned.add(given.index());
    }
  }

  /**
   * Where blocks left the directory or came otherwise, goes on from what it holds plus what is
   * given out and not there yet. Without effect when a number was given since {@code turnBefore}:
   * its block may be in the count or not.
   *
   * @param pending the numbers whose blocks are not among the {@code stored}
   */
  synchronized void correct(long turnBefore, long stored, Collection<Long> pending) {
    if (next < 0 || turn != turnBefore) {
      return;
    }
    if (stored == next - pending.size() - returned.size()) {
      return;
    }
    returned.clear();
    long highest = pending.stream().mapToLong(Long::longValue).max().orElse(-1);
    next = Math.max(stored + pending.size(), highest + 1);
  }

  /** Files whose latest number is remembered. */
  synchronized int fileCount() {
    return latestOfFile.size();
  }
}
