package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.namenode.MonitorReport;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.State;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Work;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.policies.movement.RepairBacklog;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Repairs what the NameNode's monitor finds, for as long as it is let: asks it for the most urgent
 * blocks, has their replicas moved within the settings, and tells it what became of each.
 *
 * <p>It has the cluster's one lock only while there is something to move, and gives it back after
 * {@link #LOCK_NANOS_MAX} at the latest, so that a user's own move gets its turn. It keeps nothing:
 * when it is ended, the blocks it was given are given out again. Between rounds {@link FullTiers}
 * may be flushed.
 */
public final class Repairs {
  private static final long LOCK_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);

  /** Own: twice as long as a batch should take, where blocks move more slowly than those before. */
  private static final double BATCH_SECONDS_MAX = 120;

  /** The NameNode takes a mover that is silent for ten times as long for absent. */
  private static final long SIGN_SECONDS = 30;

  private static final long AWAY_MILLIS = TimeUnit.SECONDS.toMillis(10);

  /** Own: ten minutes for a disk that stays full, for which each try costs a turn with the lock. */
  private static final int AWAY_DOUBLINGS_MAX = 6;

  private final Configuration conf;
  private final DistributedFileSystem fs;
  private final MoverSettings settings;
  private final JobRun.Start journal;
  private final Consumer<String> say;
  private final double batchSecondsMax;
  private final Object waiting = new Object();
  private final BatchSize size = new BatchSize();

  /** Null where none is kept from filling up. */
  private FullTiers tiers;

  private volatile Mover mover;
  private volatile boolean stopped;
  private volatile boolean lockedOut;
  private volatile int yieldingNodes;
  private long lockNanosMax = LOCK_NANOS_MAX;
  private final MoverMemory memory;
  private String said = "";

  /** Rounds in a row that could not begin their journal. */
  private int journalFailures;

  /**
   * The sum of one round.
   *
   * @param blocks that it was given, each once, but for those that it gave back untried
   * @param done of those, that are as their layouts want them or are gone
   * @param replicas that were moved
   */
  public record Round(long blocks, long done, long replicas, long bytes) {
    /** For people. */
    public String text() {
      return Words.count(done, "block")
          + " of "
          + blocks
          + " repaired: "
          + Words.count(replicas, "replica")
          + ", "
          + Words.bytes(bytes);
    }
  }

  /**
   * @param say is told a line for people when something stands in the way
   */
  public Repairs(
      DistributedFileSystem fs,
      Configuration conf,
      MoverSettings settings,
      JobRun.Start journal,
      Consumer<String> say) {
    this(fs, conf, settings, journal, say, BATCH_SECONDS_MAX);
  }

  /**
   * @param batchSecondsMax after which no more blocks of a batch are begun
   */
  Repairs(
      DistributedFileSystem fs,
      Configuration conf,
      MoverSettings settings,
      JobRun.Start journal,
      Consumer<String> say,
      double batchSecondsMax) {
    this.batchSecondsMax = batchSecondsMax;
    this.fs = fs;
    this.conf = conf;
    this.settings = settings;
    this.journal = journal;
    this.say = say;
    this.memory = new MoverMemory(say);
  }

  /** Gives the lock back so soon, after a batch at least. */
  Repairs lockingFor(long nanosMax) {
    lockNanosMax = nanosMax;
    return this;
  }

  /** Also keeps tiers from filling up, after each round of {@link #run}. */
  public Repairs keeping(FullTiers full) {
    full.remembering(memory);
    tiers = full;
    return this;
  }

  /**
   * Goes on until {@link #stop}; a NameNode that is away or fails over is waited for.
   *
   * @param rounds is told each round that had something to repair
   */
  public void run(long idleMillis, Consumer<Round> rounds) {
    while (!stopped) {
      long rest = idleMillis;
      try {
        Round round = round();
        if (round.blocks() > 0) {
          rounds.accept(round);
        }
        keepTiers();
        said = isOff(round) ? said : "";
      } catch (OperatorException | IOException e) {
        // Another mover, a NameNode that is away: told when it is new, and tried again.
        sayOnce(FailureText.line(FailureText.cause(e)));
        rest = awayMillis();
      }
      pause(rest);
    }
  }

  /** How long a round that failed rests: longer each time that its journal cannot be begun. */
  long awayMillis() {
    return AWAY_MILLIS << Math.min(journalFailures, AWAY_DOUBLINGS_MAX);
  }

  /** Flushes tiers that are too full, of those whose time it is. */
  public void keepTiers() throws IOException {
    if (tiers != null && !stopped && tiers.isDue()) {
      MonitorCalls monitor = monitor();
      try (Signs unused = new Signs(() -> monitor.sign(yieldingNodes))) {
        tiers.look();
      }
    }
  }

  /** Whether nothing is given out because the monitor is off; a first walk ends by itself. */
  private boolean isOff(Round round) throws IOException {
    if (round.blocks() > 0) {
      return false;
    }
    MonitorReport figures = monitor().figures();
    if (figures.enabled()) {
      return false;
    }
    sayOnce(figures.whyBlind());
    return true;
  }

  private void sayOnce(String line) {
    // A stop interrupts calls: that they fail then is worth no line.
    if (!line.equals(said) && !stopped && !Thread.currentThread().isInterrupted()) {
      said = line;
      say.accept(line);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // Woken early, it only looks again sooner.
  void pause(long millis) {
    synchronized (waiting) {
      try {
        if (!stopped) {
          waiting.wait(millis);
        }
      } catch (InterruptedException e) {
        stopped = true;
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends {@link #run} within seconds; by any thread. */
  public void stop() {
    stopped = true;
    Mover moving = mover;
    if (moving != null) {
      moving.stop();
    }
    if (tiers != null) {
      tiers.stop();
    }
    synchronized (waiting) {
      waiting.notifyAll();
    }
  }

  boolean isStopped() {
    return stopped || Thread.currentThread().isInterrupted();
  }

  /** Whether the last round failed because another mover had the lock. */
  boolean isLockedOut() {
    return lockedOut;
  }

  /**
   * Repairs the most urgent blocks, for {@link #LOCK_NANOS_MAX} and the batch that is under way
   * then, and returns.
   *
   * @throws OperatorException when the plug-in does not run, another mover has the lock, or the
   *     journal cannot be written
   */
  public Round round() throws IOException {
    return round(new RepairCount());
  }

  /**
   * The same, counted.
   *
   * @param all counts the blocks of several rounds
   */
  Round round(RepairCount all) throws IOException {
    MonitorCalls monitor = monitor();
    RepairCount count = new RepairCount();
    if (monitor.ask(1, 0, State.IDLE).isEmpty()) {
      return count.round();
    }
    try (Mover opened = openOrTell(monitor)) {
      mover = opened;
      try (LateJournal written = new LateJournal(journal)) {
        try {
          repair(
              monitor,
              opened.writingTo(written),
              results -> {
                count.add(results);
                all.add(results);
              });
        } finally {
          journalFailures = written.hasFailed() ? journalFailures + 1 : 0;
        }
        Round round = count.round();
        written.end(new JournalEntry.End(round.replicas(), round.bytes(), List.of(), stopped));
        return round;
      }
    } finally {
      mover = null;
    }
  }

  /** Whether the monitor has a block that may be tried now. */
  boolean isAnyGivenOut() throws IOException {
    return !monitor().ask(1, 0, State.IDLE).isEmpty();
  }

  /**
   * The monitor's figures.
   *
   * @throws OperatorException when they would say nothing: the plug-in does not run, or its monitor
   *     is off or has not looked at all files yet
   */
  MonitorReport requireMonitor() throws IOException {
    return monitor().requireLooked();
  }

  private MonitorCalls monitor() throws IOException {
    return new MonitorCalls(fs, conf, settings.limits());
  }

  /**
   * Says what waits, and what {@link #round} would do; nothing is changed, and no mover seems to be
   * there.
   *
   * @throws OperatorException when the plug-in does not run, or its monitor has not looked
   */
  public RepairPreview preview() throws IOException {
    MonitorCalls monitor = monitor();
    MonitorReport figures = monitor.requireLooked();
    List<Work> work = monitor.ask(RepairBacklog.BATCH_BLOCKS, 0, State.ABSENT);
    MoverCluster cluster = monitor.cluster();
    RepairBatch batch = new RepairBatch(work, cluster.judge());
    return new RepairPreview(figures, work.size(), Mover.planRepair(cluster, settings, batch));
  }

  private Mover openOrTell(MonitorCalls monitor) throws IOException {
    lockedOut = false;
    try {
      return Mover.open(monitor.cluster(), settings, memory);
    } catch (OperatorException e) {
      lockedOut = true;
      monitor.ask(0, 0, State.LOCKED_OUT);
      throw e;
    }
  }

  private void repair(MonitorCalls monitor, Mover moving, Consumer<List<Result>> told)
      throws IOException {
    LastCalls last = new LastCalls(() -> stopped, say);
    yieldingNodes = 0;
    long begunAll = System.nanoTime();
    boolean more = true;
    while (more && !stopped) {
      List<Work> work =
          monitor.ask(size.blocks(), RepairBacklog.LEASE_SECONDS, State.MOVING, yieldingNodes);
      if (work.isEmpty()) {
        break;
      }
      RepairBatch batch = new RepairBatch(work, monitor.cluster().judge());
      long begun = System.nanoTime();
      try (Signs unused = new Signs(() -> monitor.sign(yieldingNodes))) {
        MoverReport moved = moving.repair(batch, Listener.Step.SILENT, batchSecondsMax);
        yieldingNodes = moved.heeded().yielded().nodes();
        memory.ended(moved, moving.unseenMovers());
      } finally {
        List<Result> results = batch.results();
        told.accept(results);
        last.make(() -> monitor.tell(results));
      }
      int tried = RepairCount.tried(batch.results());
      size.took(tried, (System.nanoTime() - begun) / 1e9);
      more = System.nanoTime() - begunAll < lockNanosMax;
    }
    last.make(() -> monitor.ask(0, 0, State.IDLE));
  }

  /** Signs of life while a batch or a flush goes on. */
  private static final class Signs implements AutoCloseable {
    private final ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(task -> RunThreads.daemon(task, "mover-signs"));

    Signs(Runnable sign) {
      ScheduledFuture<?> unused =
          timer.scheduleAtFixedRate(sign, SIGN_SECONDS, SIGN_SECONDS, TimeUnit.SECONDS);
    }

    /** A call on its way goes on: an interrupt would cut the connection that others share. */
    @Override
    public void close() {
      timer.shutdown();
    }
  }
}
