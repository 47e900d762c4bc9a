package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.OnceLog;
import io.tierwise.hadoop.hdfs.namenode.MonitorWalk.SeenBlock;
import io.tierwise.policies.movement.Misplaced;
import io.tierwise.policies.movement.RepairBacklog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
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

  /** Own: the least time between walks when nodes come and go. */
  private static final long CHANGED_NANOS_MIN = TimeUnit.SECONDS.toNanos(5);

  /** A mover's question holds no lock for long, and its answer fits a call. */
  private static final int ASKED_BLOCKS_MAX = 1_000;

  /** Own: the thread takes a twentieth of a processor at most, also where all are busy. */
  private static final int JUDGING_REST_FACTOR = 20;

  private final OnceLog once = new OnceLog(LoggerFactory.getLogger(Monitor.class));
  private final MonitorJudge judge;
  private final MonitorSettings settings;
  private final FSNamesystem namesystem;
  private final ViewKeeper views;
  private final StoredPolicies policies;
  private final PathPolicies paths;
  private final BooleanSupplier active;
  private final RepairBacklog backlog;
  private final RepairCounters repairs = new RepairCounters();
  private final OtherTools tools;
  private final LearnedFiles learned = new LearnedFiles();
  private final AsyncReplicas async = new AsyncReplicas();
  private final Thread thread;
  private long nextToolLookNanos = System.nanoTime();
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
    this.backlog =
        new RepairBacklog(
            settings.queueBlocksMax(), settings.undoWindowSeconds(), settings.backOffSeconds());
    this.tools = new OtherTools(namesystem);
    this.judge =
        new MonitorJudge(
            new MonitorJudge.Host(namesystem, views, policies, settings, once),
            new MonitorJudge.Memory(backlog, repairs, tools, learned, async));
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

  AsyncReplicas async() {
    return async;
  }

  /** Walks at once; once more after a walk that is under way. */
  void walkNow() {
    asked = true;
    LockSupport.unpark(thread);
  }

  RepairBacklog backlog() {
    return backlog;
  }

  RepairCounters repairs() {
    return repairs;
  }

  /** A mover asks for blocks to repair; called by threads that answer calls. */
  List<RepairCalls.Work> ask(RepairCalls.Question question) {
    if (question.state() != RepairCalls.State.ABSENT) {
      repairs.asked(question);
    }
    List<RepairCalls.Work> work = new ArrayList<>();
    int left = Math.min(question.blocksMax(), ASKED_BLOCKS_MAX);
    while (left > 0 && mayWork()) {
      List<Misplaced> lent = backlog.lend(left, nowSeconds(), question.leaseSeconds());
      lent.forEach(block -> add(work, block));
      left = lent.isEmpty() || !work.isEmpty() ? 0 : left;
    }
    return work;
  }

  /** Adds a block if its file still exists and is still under a policy; drops any other. */
  private void add(List<RepairCalls.Work> work, Misplaced block) {
    TreeLock.lock(namesystem);
    try {
      INode file = namesystem.getFSDirectory().getInode(block.fileId());
      PolicyCatalog.Entry policy = file == null ? null : policies.entry(policies.of(file));
      if (policy == null) {
        backlog.asWanted(block.blockId());
        return;
      }
      work.add(
          new RepairCalls.Work(
              block.blockId(),
              block.fileId(),
              block.blockIndex(),
              block.wanted(),
              block.urgency().label(),
              policy.policy().name(),
              file.getFullPathName()));
    } finally {
      TreeLock.unlock(namesystem, "tierwiseMonitorAsk");
    }
  }

  /** A mover tells what became of a block. */
  void tell(RepairCalls.Result result) {
    repairs.moved(result.up(), result.down());
    if (result.outcome() == RepairBacklog.Outcome.FAILED) {
      repairs.failed(result.reason());
    }
    backlog.told(result.blockId(), result.wanted(), result.outcome(), nowSeconds());
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
          async.forget();
          LockSupport.parkNanos(this, TICK_NANOS);
        } else if (walk()) {
          rest();
        }
      } catch (Throwable e) {
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
    async.walkBegins();
    MonitorWalk walk = newWalk();
    // Look for other tools first: one that has just begun may have moved these blocks.
    tools.look(nowSeconds());
    if (paths.mayManage()) {
      walk.add(namesystem.getFSDirectory().getRoot().getId());
    }
    while (!walk.isDone()) {
      if (!mayWork()) {
        return false;
      }
      step(walk, MonitorJudge.Look.WALK);
      lookAround();
    }
    backlog.endWalk(walk.files(), walk.blocks(), (System.nanoTime() - start) / 1e9);
    async.walkEnded();
    walks.increment();
    return true;
  }

  private MonitorWalk newWalk() {
    long holdNanos = TimeUnit.MILLISECONDS.toNanos(settings.holdMillis());
    return new MonitorWalk(namesystem, policies, holdNanos);
  }

  private void step(MonitorWalk walk, MonitorJudge.Look why) {
    double seenSeconds = nowSeconds();
    List<SeenBlock> seen = walk.step();
    long held = walk.heldNanos();
    lockNanos.add(held);
    long judging = System.nanoTime();
    judge.judge(seen, seenSeconds, why);
    long judged = System.nanoTime() - judging;
    long rest = Math.max(settings.restFactor() * held, JUDGING_REST_FACTOR * judged);
    LockSupport.parkNanos(this, rest);
  }

  private void lookAround() {
    if (System.nanoTime() - nextToolLookNanos >= 0) {
      tools.look(nowSeconds());
      nextToolLookNanos = System.nanoTime() + TICK_NANOS;
    }
    lookAt(learned.due(System.nanoTime()), MonitorJudge.Look.TOLD);
    long start = System.nanoTime();
    List<Long> turn = async.turn(start);
    if (!turn.isEmpty()) {
      lookForAsync(turn, start);
    }
  }

  /** A turn whose look fails comes again: else its files would count for ever. */
  private void lookForAsync(List<Long> turn, long start) {
    boolean looked = false;
    try {
      lookAt(turn, MonitorJudge.Look.ASYNC);
      async.looked(turn, start, namesystem);
      looked = true;
    } finally {
      if (!looked) {
        async.giveBack(turn);
      }
    }
  }

  private void lookAt(List<Long> files, MonitorJudge.Look why) {
    MonitorWalk look = newWalk();
    files.forEach(look::add);
    while (!look.isDone() && mayWork()) {
      step(look, why);
    }
  }

  /**
   * Waits for the next walk: until its time has come, the cluster has changed, or somebody asks for
   * it.
   */
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
      lookAround();
      rested = System.nanoTime() - start;
    }
  }
}
