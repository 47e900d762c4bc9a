package io.tierwise.hadoop.hdfs.namenode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.util.Time;

/**
 * Replicas that a policy lets come after the write and that are not there yet: the window in which
 * the loss of a region loses data. Source: DerbyhatS, 7.1.4.
 *
 * <p>A decision tells of its file, and the monitor's walk of files that it comes by, so that a
 * NameNode that starts or takes over finds them again. The monitor's thread looks at each in turn
 * until it is closed and whole. Bounded: of files beyond {@code FILES_MAX} it is known what the
 * last walk came by. Nothing is copied from here: HDFS re-replicates a closed file by itself.
 */
final class AsyncReplicas {
  private static final int FILES_MAX = 65_536;

  /** Own: bounds what a turn holds of the tree's lock. */
  private static final int FILES_PER_TURN = 1_000;

  private static final long TURN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Own: looking takes a tenth of the monitor's time at most. */
  private static final int REST_FACTOR = 9;

  private static final Shown NOTHING = new Shown(0, 0, 0, 0);

  private final ArrayBlockingQueue<Long> told;
  private final Map<Long, Coming> files = new HashMap<>();
  private final ArrayBlockingQueue<Long> turns;
  private Beyond beyond = new Beyond();
  private Beyond beyondOfWalk = new Beyond();
  private long nextTurnNanos = System.nanoTime();
  private volatile Shown shown = NOTHING;

  /** The part of a file that is still to come, as it was seen last and as it is being seen. */
  private static final class Coming {
    long sinceNanos;

    /** Whether a decision told of the file; else its writing time says since when it waits. */
    boolean decided;

    long blocks;
    long bytes;
    long seenBlocks;
    long seenBytes;

    Coming(long sinceNanos, boolean decided) {
      this.sinceNanos = sinceNanos;
      this.decided = decided;
    }
  }

  /** The sum of files that are not known one by one. */
  private static final class Beyond {
    int files;
    long blocks;
    long bytes;
    private long lastFileId;

    /** The blocks of a file follow each other. */
    void add(long fileId, long blockBytes) {
      files += fileId == lastFileId ? 0 : 1;
      lastFileId = fileId;
      blocks++;
      bytes += blockBytes;
    }
  }

  AsyncReplicas() {
    this(FILES_MAX);
  }

  /**
   * @param filesMax that are known one by one
   */
  AsyncReplicas(int filesMax) {
    told = new ArrayBlockingQueue<>(filesMax);
    turns = new ArrayBlockingQueue<>(filesMax);
  }

  /** For metrics. */
  private record Shown(int files, long blocks, long bytes, long oldestNanos) {}

  /** A decision left replicas of the file out. By deciding threads; never waits. */
  void tell(long fileId) {
    if (fileId != 0) {
      told.offer(fileId);
    }
  }

  /** A walk begins. By the monitor's thread, as all below. */
  void walkBegins() {
    beyondOfWalk = new Beyond();
  }

  /** It has come by all files. */
  void walkEnded() {
    beyond = beyondOfWalk;
    show();
  }

  /**
   * Replicas of a block are still to come.
   *
   * @param walked whether a walk came by it
   */
  void saw(long fileId, long blockBytes, int replicas, boolean walked) {
    Coming coming = replicas == 0 ? files.get(fileId) : known(fileId, false);
    if (coming != null) {
      coming.seenBlocks += replicas == 0 ? 0 : 1;
      coming.seenBytes += replicas * blockBytes;
    } else if (replicas > 0 && walked) {
      beyondOfWalk.add(fileId, replicas * blockBytes);
    }
  }

  /** The file's entry; null when there are too many. */
  private Coming known(long fileId, boolean decided) {
    Coming coming = files.get(fileId);
    if (coming == null && turns.offer(fileId)) {
      coming = new Coming(System.nanoTime(), decided);
      files.put(fileId, coming);
    }
    return coming;
  }

  /** The files to look at now; each is told of by {@link #saw} while it is looked at. */
  List<Long> turn(long nowNanos) {
    if (nowNanos - nextTurnNanos < 0) {
      return List.of();
    }
    for (Long file = told.poll(); file != null; file = told.poll()) {
      known(file, true);
    }
    List<Long> turn = new ArrayList<>();
    turns.drainTo(turn, FILES_PER_TURN);
    for (Long file : turn) {
      Coming coming = files.get(file);
      coming.seenBlocks = 0;
      coming.seenBytes = 0;
    }
    nextTurnNanos = nowNanos + TURN_NANOS;
    return turn;
  }

  /** The turn is over: files that are whole or gone are forgotten, the others come again. */
  void looked(List<Long> turn, long startNanos, FSNamesystem namesystem) {
    long nowNanos = System.nanoTime();
    TreeLock.lock(namesystem);
    try {
      for (Long file : turn) {
        INode inode = namesystem.getFSDirectory().getInode(file);
        Coming coming = files.get(file);
        coming.blocks = coming.seenBlocks;
        coming.bytes = coming.seenBytes;
        boolean open = inode != null && inode.isFile() && inode.asFile().isUnderConstruction();
        if (inode == null || (coming.blocks == 0 && !open)) {
          files.remove(file);
          continue;
        }
        if (!coming.decided) {
          long ageMillis = Math.max(0, Time.now() - inode.getModificationTime());
          coming.sinceNanos = nowNanos - TimeUnit.MILLISECONDS.toNanos(ageMillis);
          coming.decided = true;
        }
        if (!turns.offer(file)) {
          files.remove(file);
        }
      }
    } finally {
      TreeLock.unlock(namesystem, "tierwiseAsyncReplicas");
    }
    nextTurnNanos = Math.max(nextTurnNanos, nowNanos + REST_FACTOR * (nowNanos - startNanos));
    show();
  }

  /** The turn was not looked at: its files come again, as they were seen last. */
  void giveBack(List<Long> turn) {
    for (Long file : turn) {
      if (files.containsKey(file) && !turns.contains(file) && !turns.offer(file)) {
        files.remove(file);
      }
    }
  }

  private void show() {
    int count = beyond.files;
    long blocks = beyond.blocks;
    long bytes = beyond.bytes;
    long oldest = System.nanoTime();
    for (Coming coming : files.values()) {
      if (coming.blocks > 0) {
        count++;
        blocks += coming.blocks;
        bytes += coming.bytes;
        oldest = coming.sinceNanos - oldest < 0 ? coming.sinceNanos : oldest;
      }
    }
    shown = count == 0 ? NOTHING : new Shown(count, blocks, bytes, oldest);
  }

  /** Another NameNode works now. */
  void forget() {
    told.clear();
    turns.clear();
    files.clear();
    beyond = new Beyond();
    shown = NOTHING;
  }

  /** Files with replicas to come; by any thread, as all below. */
  int fileCount() {
    return shown.files();
  }

  long blockCount() {
    return shown.blocks();
  }

  long bytes() {
    return shown.bytes();
  }

  /** Since the first block of the file that has waited for longest was written. */
  double oldestAgeSeconds() {
    Shown now = shown;
    return now.files() == 0 ? 0 : (System.nanoTime() - now.oldestNanos()) / 1e9;
  }
}
