package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.namenode.MonitorWalk.SeenBlock;
import io.tierwise.policies.movement.LayoutCheck;
import io.tierwise.policies.movement.Misplaced;
import io.tierwise.policies.movement.Urgency;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.slf4j.LoggerFactory;

/**
 * Compares stored blocks of managed files with their layouts, again and again, and keeps the most
 * urgent of those that differ. It moves nothing: a mover asks for them (docs/decisions/0114).
 *
 * <p>A daemon thread walks the tree in short holds of the read locks; it learns from decisions
 * which files were written elsewhere, and walks at once when the cluster changed. Nothing is kept
 * for a block but for those in the queue, and nothing is stored: a NameNode that starts, or becomes
 * active, finds all again.
 */
final class Monitor implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A cluster whose nodes come and go is not walked all the time for that. */
  private static final long CHANGED_NANOS_MIN = TimeUnit.SECONDS.toNanos(5);

  private final OnceLog once = new OnceLog(LoggerFactory.getLogger(Monitor.class));
  private final MonitorSettings settings;
  private final FSNamesystem namesystem;
  private final ViewKeeper views;
  private final StoredPolicies policies;
  private final PathPolicies paths;
  private final BooleanSupplier active;
  private final MonitorBacklog backlog;
  private final LearnedFiles learned = new LearnedFiles();
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean asked;
  private final LongAdder walks = new LongAdder();
  private final LongAdder lockNanos = new LongAdder();

  /**
   * @param active whether this NameNode is the one that works
   */
  Monitor(
      MonitorSettings settings,
      FSNamesystem namesystem,
      ViewKeeper views,
      StoredPolicies policies,
      PathPolicies paths,
      BooleanSupplier active) {
    this.settings = settings;
    this.namesystem = namesystem;
    this.views = views;
    this.policies = policies;
    this.paths = paths;
    this.active = active;
    this.backlog = new MonitorBacklog(settings.queueBlocksMax());
    thread = new Thread(this::run, "tierwise-monitor");
    thread.setDaemon(true);
  }

  void start() {
    if (settings.enabled()) {
      thread.start();
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** A decision for the file gave a wish up. Called by deciding threads; never waits. */
  void wroteElsewhere(long fileId) {
    if (fileId != 0 && settings.enabled()) {
      learned.tell(fileId);
    }
  }

  /** Walks at once, or again when it does already. */
  void walkNow() {
    asked = true;
    LockSupport.unpark(thread);
  }

  MonitorBacklog backlog() {
    return backlog;
  }

  MonitorSettings settings() {
    return settings;
  }

  /** Walks that came to their end. */
  long walks() {
    return walks.sum();
  }

  /** Time for which the read locks were held. */
  long lockNanos() {
    return lockNanos.sum();
  }

  /** The clock that ages go by. */
  static double nowSeconds() {
    return System.nanoTime() / 1e9;
  }

  private boolean mayWork() {
    return !closed && active.getAsBoolean() && !namesystem.isInSafeMode();
  }

  private void run() {
    while (!closed) {
      try {
        if (!mayWork()) {
          backlog.forget();
          learned.clear();
          LockSupport.parkNanos(this, TICK_NANOS);
        } else if (walk()) {
          rest();
        }
      } catch (RuntimeException | LinkageError e) {
        once.warn(
            "monitor " + e.getClass(),
            "The monitor failed and begins again; nothing else is affected: " + e,
            e);
        LockSupport.parkNanos(this, TICK_NANOS);
      }
    }
  }

  /** False when it had to stop. */
  private boolean walk() {
    asked = false;
    long start = System.nanoTime();
    backlog.beginWalk();
    MonitorWalk walk = newWalk();
    if (paths.mayManage()) {
      walk.add(namesystem.getFSDirectory().getRoot().getId());
    }
    while (!walk.isDone()) {
      if (!mayWork()) {
        return false;
      }
      step(walk, true);
      lookAtLearned();
    }
    backlog.endWalk(walk.files(), walk.blocks(), (System.nanoTime() - start) / 1e9);
    walks.increment();
    return true;
  }

  private MonitorWalk newWalk() {
    long holdNanos = TimeUnit.MILLISECONDS.toNanos(settings.holdMillis());
    return new MonitorWalk(namesystem, policies, holdNanos);
  }

  private void step(MonitorWalk walk, boolean walked) {
    List<SeenBlock> seen = walk.step();
    long held = walk.heldNanos();
    lockNanos.add(held);
    judge(seen, walked);
    LockSupport.parkNanos(this, settings.restFactor() * held);
  }

  private void lookAtLearned() {
    for (long fileId : learned.due(System.nanoTime())) {
      MonitorWalk look = newWalk();
      look.add(fileId);
      while (!look.isDone() && mayWork()) {
        step(look, false);
      }
    }
  }

  /** Until the next walk: when its time has come, when the cluster changed, or when asked to. */
  private void rest() {
    long start = System.nanoTime();
    long builds = views.builtCount();
    long interval = TimeUnit.SECONDS.toNanos(settings.intervalSeconds());
    long rested = 0;
    while (mayWork() && !asked && rested < interval) {
      if (views.builtCount() != builds && rested > CHANGED_NANOS_MIN) {
        return;
      }
      LockSupport.parkNanos(this, Math.min(TICK_NANOS, interval - rested));
      lookAtLearned();
      rested = System.nanoTime() - start;
    }
  }

  private void judge(List<SeenBlock> seen, boolean walked) {
    ClusterIndex index = views.current();
    NameNodeView usual = new NameNodeView(index, views.admission(), ClusterView.NONE);
    MonitorWalk.SeenFile file = null;
    boolean allowed = false;
    for (SeenBlock block : seen) {
      if (block.file() != file) {
        file = block.file();
        allowed = policies.ownerMayUse(file.owner(), file.path(), file.policy());
      }
      if (allowed) {
        judge(block, index, usual, walked);
      }
    }
  }

  private void judge(SeenBlock block, ClusterIndex index, NameNodeView usual, boolean walked) {
    int[] volumes = new int[block.replicas().length];
    NameNodeView view = usual;
    for (int i = 0; i < volumes.length; i++) {
      DatanodeStorageInfo replica = block.replicas()[i];
      if (!replica.getDatanodeDescriptor().isInService()) {
        backlog.leftToHdfs(block.blockId(), walked);
        return;
      }
      volumes[i] = index.idOf(replica);
      if (volumes[i] == ClusterView.NONE) {
        ReplicaView all = views.replicas(index, ClusterView.NONE, Arrays.asList(block.replicas()));
        volumes = all.volumes();
        view = all;
        break;
      }
    }
    FileView file = new FileView(block.file().id(), block.index(), block.file().replication());
    LayoutCheck check = LayoutCheck.of(block.file().policy().policy(), file, volumes, view);
    switch (check.verdict()) {
      case AS_WANTED, NOT_TOLD -> backlog.asWanted(block.blockId());
      case LEFT_TO_ENGINE -> backlog.leftToHdfs(block.blockId(), walked);
      case MISPLACED -> backlog.misplaced(misplaced(block, check, walked), walked);
    }
  }

  private static Misplaced misplaced(SeenBlock block, LayoutCheck check, boolean walked) {
    Urgency elsewhere = walked ? Urgency.WRONG_TIER : Urgency.FALLBACK;
    return new Misplaced(
        block.blockId(),
        block.file().id(),
        block.index(),
        check.replicas(),
        check.replicas() * block.bytes(),
        check.missingCopies(),
        check.missingCopies() > 0 ? Urgency.MISSING_COPY : elsewhere,
        nowSeconds());
  }
}
