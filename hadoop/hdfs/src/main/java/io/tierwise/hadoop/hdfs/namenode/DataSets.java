package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.namenode.DataSetNumbers.Given;
import io.tierwise.hadoop.hdfs.namenode.DataSetNumbers.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.slf4j.LoggerFactory;

/**
 * Numbers the blocks of directories that are one data set, for a policy that keeps a ratio over all
 * of a directory's files.
 *
 * <p>A data set's first number is the count of blocks that the directory holds; from then on each
 * decision gets the next one, so that concurrent writers get distinct numbers and the ratio holds
 * for every prefix. A small directory is counted by the first decision; the numbers of a large one
 * begin at 0 as if it were empty and move on when it has been counted. Own: with two zones of s
 * blocks before and m blocks numbered from 0 the first holds ceil(rho s) + ceil(rho m), at most one
 * more than ceil(rho (s + m)).
 *
 * <p>A number whose block never came to be (abandoned, asked for again, file gone) is given out
 * again, lowest first. While no block is asked for, the directories in use are counted again:
 * blocks that were deleted or moved away leave the count, and with it the ratio is kept among what
 * is written from then on. Nothing is stored: a restarted NameNode counts first.
 *
 * <p>Threads: decisions number blocks; a daemon thread counts and settles, all directories in
 * turns. The FS read lock is held for {@link Bounds#holdInodes} inodes at a time and never together
 * with a data set's monitor.
 */
final class DataSets {
  private static final long IDLE_NANOS_MAX = 600_000_000_000L;

  /** Settling and counting again may each take one twentieth of the time that passes. */
  private static final long REST_FACTOR = 20;

  /** After so many holds of the FS lock the next directory has its turn. */
  private static final int HOLDS_PER_TURN = 16;

  private static final long THREAD_IDLE_SECONDS_MAX = 10;

  private final OnceLog once = new OnceLog(LoggerFactory.getLogger(DataSets.class));
  private final FSNamesystem namesystem;
  private final Bounds bounds;
  private final Runnable afterHold;
  private final Map<Long, DataSet> byDirectory = new ConcurrentHashMap<>();

  /**
   * One thread at most, none while there is nothing to do; work that is under way is not queued.
   */
  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(
          0,
          1,
          THREAD_IDLE_SECONDS_MAX,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          DataSets::thread,
          new ThreadPoolExecutor.DiscardPolicy());

  /**
   * Bounds of the work on the namesystem, in inodes.
   *
   * @param inlineInodes what a decision may look at to count a small directory itself
   * @param holdInodes what is looked at under one hold of the FS lock
   */
  record Bounds(int inlineInodes, int holdInodes) {
    /**
     * Own: a decision looks at no more than Hadoop's content summary does under one hold of the
     * lock (dfs.content-summary.limit, 5000), and holds the lock for a fifth of that.
     */
    static final Bounds DEFAULT = new Bounds(5_000, 1_000);
  }

  DataSets(FSNamesystem namesystem) {
    this(namesystem, Bounds.DEFAULT, () -> {});
  }

  /**
   * @param afterHold told by the counting thread each time that it has released the FS lock
   */
  DataSets(FSNamesystem namesystem, Bounds bounds, Runnable afterHold) {
    this.namesystem = namesystem;
    this.bounds = bounds;
    this.afterHold = afterHold;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "tierwise-data-sets");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * The number of the block that the file is about to get. Never waits for the count of a large
   * directory.
   *
   * @param blockCount blocks that the file has by now
   */
  long nextIndex(INodeDirectory directory, long fileId, int blockCount) {
    DataSet set = byDirectory.computeIfAbsent(directory.getId(), DataSet::new);
    return set.nextIndex(fileId, blockCount);
  }

  /** Forgets the idle directories and has those in use settled and counted again, elsewhere. */
  void refresh() {
    long now = System.nanoTime();
    byDirectory.values().removeIf(set -> now - set.usedNanos > IDLE_NANOS_MAX);
    if (!byDirectory.isEmpty()) {
      worker.execute(this::work);
    }
  }

  /** Forgets everything: another NameNode may have written meanwhile. */
  void clear() {
    byDirectory.clear();
  }

  /** Files of the directory whose latest number is remembered. */
  int fileCount(INodeDirectory directory) {
    DataSet set = byDirectory.get(directory.getId());
    return set == null ? 0 : set.numbers.fileCount();
  }

  /** Gives all directories their turns until none is in the middle of its count. */
  private synchronized void work() {
    boolean counting = true;
    while (counting && namesystem.isRunning()) {
      counting = false;
      for (DataSet set : byDirectory.values()) {
        counting |= turn(set);
      }
    }
  }

  private boolean turn(DataSet set) {
    try {
      return set.turn();
    } catch (RuntimeException e) {
      set.count = null;
      once.warn("count", "The blocks of a directory cannot be counted; it is tried again", e);
      return false;
    }
  }

  private final class DataSet {
    private final long directoryId;
    private final DataSetNumbers numbers = new DataSetNumbers();
    private volatile long usedNanos = System.nanoTime();

    // Of the counting thread.
    private long nextSettleNanos = usedNanos;
    private long nextCountNanos = usedNanos;
    private DataSetCount count;
    private long countNanos;
    private long turnBefore;
    private Map<Long, State> statesBefore;

    DataSet(long directoryId) {
      this.directoryId = directoryId;
    }

    long nextIndex(long fileId, int blockCount) {
      usedNanos = System.nanoTime();
      if (!numbers.isStarted()) {
        countInline();
      }
      return numbers.give(fileId, blockCount);
    }

    /**
     * Several first decisions may count at once, and the first to be done begins the numbers. None
     * of their blocks is stored before it has its number, so that this count has none of them.
     */
    private void countInline() {
      DataSetCount inline = new DataSetCount(namesystem, directoryId);
      boolean done = false;
      for (int left = bounds.inlineInodes; left > 0 && !done; left -= bounds.holdInodes) {
        done = inline.step(Math.min(left, bounds.holdInodes));
      }
      numbers.start(done ? inline.blocks() : 0);
    }

    /** Does what is due, for a bounded number of holds; whether a count goes on. */
    private boolean turn() {
      long start = System.nanoTime();
      if (count == null && start - nextCountNanos >= 0) {
        turnBefore = numbers.turn();
        statesBefore = settle();
        count = new DataSetCount(namesystem, directoryId);
        countNanos = 0;
      }
      if (count == null) {
        if (start - nextSettleNanos >= 0) {
          settle();
        }
        return false;
      }
      boolean over = countOn();
      long end = System.nanoTime();
      countNanos += end - start;
      if (over) {
        count = null;
        nextCountNanos = end + rest(countNanos);
      }
      return !over;
    }

    /** Whether the count is over: it is done, or it is of no more use. */
    private boolean countOn() {
      boolean done = false;
      for (int i = 0; i < HOLDS_PER_TURN && !done; i++) {
        done = count.step(bounds.holdInodes);
        afterHold.run();
      }
      if (numbers.turn() != turnBefore) {
        return true; // Blocks are asked for: whether they are in the count cannot be known.
      }
      if (done) {
        correct();
      }
      return done;
    }

    private void correct() {
      Map<Long, Given> given = numbers.given();
      Map<Long, State> states = settle();
      if (!states.equals(statesBefore)) {
        return; // A block was stored while we counted: it may be in the count or not.
      }
      List<Long> pending = new ArrayList<>();
      states.forEach(
          (fileId, state) -> {
            if (state == State.PENDING) {
              pending.add(given.get(fileId).index());
            }
          });
      numbers.correct(turnBefore, count.blocks(), pending);
    }

    /** Forgets what is stored and closed, takes back what is lost; the states of the others. */
    private Map<Long, State> settle() {
      long start = System.nanoTime();
      Map<Long, State> open = new HashMap<>();
      List<Map.Entry<Long, Given>> given = List.copyOf(numbers.given().entrySet());
      for (int first = 0; first < given.size(); first += bounds.holdInodes) {
        int end = Math.min(given.size(), first + bounds.holdInodes);
        settle(given.subList(first, end), open);
      }
      long end = System.nanoTime();
      nextSettleNanos = end + rest(end - start);
      return open;
    }

    private void settle(List<Map.Entry<Long, Given>> given, Map<Long, State> open) {
      List<State> states = states(given);
      for (int i = 0; i < given.size(); i++) {
        long fileId = given.get(i).getKey();
        switch (states.get(i)) {
          case PENDING, STORED -> open.put(fileId, states.get(i));
          case STORED_AND_CLOSED, LOST ->
              numbers.settle(fileId, given.get(i).getValue(), states.get(i));
        }
      }
    }
  }

  private static long rest(long spentNanos) {
    return Math.max(ViewKeeper.TICK_NANOS / 2, REST_FACTOR * spentNanos);
  }

  /** The state of each, looked up under one hold of the FS lock. */
  private List<State> states(List<Map.Entry<Long, Given>> given) {
    List<State> states = new ArrayList<>(given.size());
    TreeLock.lock(namesystem);
    try {
      for (Map.Entry<Long, Given> entry : given) {
        states.add(stateOf(entry.getKey(), entry.getValue()));
      }
    } finally {
      TreeLock.unlock(namesystem, "tierwiseDataSet");
    }
    return states;
  }

  private State stateOf(long fileId, Given given) {
    INode inode = namesystem.getFSDirectory().getInode(fileId);
    if (inode == null || !inode.isFile()) {
      return State.LOST;
    }
    INodeFile file = inode.asFile();
    boolean stored = file.numBlocks() > given.blockCount();
    if (file.isUnderConstruction()) {
      return stored ? State.STORED : State.PENDING;
    }
    return stored ? State.STORED_AND_CLOSED : State.LOST;
  }
}
