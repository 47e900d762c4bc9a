package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.namenode.MonitorReport;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Question;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.State;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Work;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.policies.movement.RepairBacklog;
import io.tierwise.policies.movement.RepairBacklog.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);
  private static final long LOCK_NANOS_MAX = TimeUnit.MINUTES.toNanos(10);

  /** Own: twice as long as a batch should take, where blocks move more slowly than those before. */
  private static final double BATCH_SECONDS_MAX = 120;

  /** The NameNode takes a mover that is silent for ten times as long for absent. */
  private static final long SIGN_SECONDS = 30;

  private static final long AWAY_MILLIS = TimeUnit.SECONDS.toMillis(10);

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
  private volatile int yieldingNodes;
  private final OtherMovers.Known known = new OtherMovers.Known();
  private String said = "";
  private boolean saidUnseenShuffle;
  private final SilentServices silent;

  /**
   * The sum of one round.
   *
   * @param blocks that it was given, but for those that it gave back untried
   * @param done of those, that are as their layouts want them or are gone
   * @param replicas that were moved
   */
  public record Round(long blocks, long done, long replicas, long bytes) {
    static final Round NOTHING = new Round(0, 0, 0, 0);

    private static final Set<Outcome> SETTLED = EnumSet.of(Outcome.DONE, Outcome.VOID);

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

    Round plus(List<Result> results) {
      long tried = 0;
      long repaired = 0;
      long moved = 0;
      long movedBytes = 0;
      for (Result result : results) {
        tried += result.outcome() == Outcome.UNTRIED ? 0 : 1;
        repaired += SETTLED.contains(result.outcome()) ? 1 : 0;
        moved += result.up().replicas() + result.down().replicas();
        movedBytes += result.up().bytes() + result.down().bytes();
      }
      return new Round(blocks + tried, done + repaired, replicas + moved, bytes + movedBytes);
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
    this.silent = new SilentServices(say);
  }

  /** Also keeps tiers from filling up, after each round of {@link #run}. */
  public Repairs keeping(FullTiers full) {
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
        said = "";
      } catch (OperatorException | IOException e) {
        // Another mover, a NameNode that is away: told when it is new, and tried again.
        sayOnce(FailureText.line(FailureText.cause(e)));
        rest = AWAY_MILLIS;
      }
      pause(rest);
    }
  }

  /** Flushes tiers that are too full, of those whose time it is. */
  public void keepTiers() throws IOException {
    if (tiers != null && !stopped && tiers.isDue()) {
      MoverCluster cluster = clusterWithMonitor();
      NameNodePlugin plugin = new NameNodePlugin(fs, conf);
      try (Signs unused = new Signs(() -> sign(plugin, cluster))) {
        tiers.look();
      }
    }
  }

  private void sayOnce(String line) {
    // A stop interrupts calls: that they fail then is worth no line.
    if (!line.equals(said) && !stopped && !Thread.currentThread().isInterrupted()) {
      said = line;
      say.accept(line);
    }
  }

  /** Else a daemon would say it each round. */
  private void sayUnseenShuffle(String line) {
    if (line != null && !saidUnseenShuffle) {
      saidUnseenShuffle = true;
      say.accept(line);
    }
  }

  @SuppressWarnings("WaitNotInLoop") // Woken early, it only looks again sooner.
  private void pause(long millis) {
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

  /**
   * Repairs what there is, and returns.
   *
   * @throws OperatorException when the plug-in does not run, another mover has the lock, or the
   *     journal cannot be written
   */
  public Round round() throws IOException {
    MoverCluster cluster = clusterWithMonitor();
    NameNodePlugin plugin = new NameNodePlugin(fs, conf);
    if (ask(plugin, cluster, 1, 0, State.IDLE).isEmpty()) {
      return Round.NOTHING;
    }
    try (Mover opened = openOrTell(plugin, cluster)) {
      mover = opened;
      try (LateJournal written = new LateJournal(journal)) {
        Round round = repair(plugin, cluster, opened.writingTo(written));
        written.end(new JournalEntry.End(round.replicas(), round.bytes(), List.of(), stopped));
        return round;
      }
    } finally {
      mover = null;
    }
  }

  private MoverCluster clusterWithMonitor() throws IOException {
    MoverCluster cluster = MoverCluster.of(fs, conf);
    if (!cluster.pluginRuns()) {
      throw OperatorException.cluster(
          cluster.active().whyNot() + ": the monitor that finds blocks to repair is in it", null);
    }
    return cluster;
  }

  /**
   * Says what waits, and what {@link #round} would do; nothing is changed, and no mover seems to be
   * there.
   *
   * @throws OperatorException when the plug-in does not run
   */
  public RepairPreview preview() throws IOException {
    MoverCluster cluster = clusterWithMonitor();
    NameNodePlugin plugin = new NameNodePlugin(fs, conf);
    MonitorReport monitor =
        MonitorReport.parse(plugin.answer(cluster.active(), RepairCalls.STATUS));
    List<Work> work = ask(plugin, cluster, RepairBacklog.BATCH_BLOCKS, 0, State.ABSENT);
    RepairBatch batch = new RepairBatch(work, cluster.judge());
    return new RepairPreview(monitor, work.size(), Mover.planRepair(cluster, settings, batch));
  }

  private Mover openOrTell(NameNodePlugin plugin, MoverCluster cluster) throws IOException {
    try {
      return Mover.open(cluster, settings, known);
    } catch (OperatorException e) {
      ask(plugin, cluster, 0, 0, State.LOCKED_OUT);
      throw e;
    }
  }

  private Round repair(NameNodePlugin plugin, MoverCluster cluster, Mover moving)
      throws IOException {
    Round round = Round.NOTHING;
    LastCalls last = new LastCalls(() -> stopped, say);
    yieldingNodes = 0;
    long end = System.nanoTime() + LOCK_NANOS_MAX;
    while (!stopped && System.nanoTime() < end) {
      List<Work> work =
          ask(plugin, cluster, size.blocks(), RepairBacklog.LEASE_SECONDS, State.MOVING);
      if (work.isEmpty()) {
        break;
      }
      RepairBatch batch = new RepairBatch(work, cluster.judge());
      long begun = System.nanoTime();
      long triedBefore = round.blocks();
      try (Signs unused = new Signs(() -> sign(plugin, cluster))) {
        MoverReport moved = moving.repair(batch, Listener.Step.SILENT, batchSecondsMax);
        yieldingNodes = moved.yielded().nodes();
        sayUnseenShuffle(moved.unseenShuffle());
        silent.say(moving.unseenMovers());
      } finally {
        List<Result> results = batch.results();
        round = round.plus(results);
        last.make(() -> tell(plugin, cluster, results));
      }
      size.took((int) (round.blocks() - triedBefore), (System.nanoTime() - begun) / 1e9);
    }
    last.make(() -> ask(plugin, cluster, 0, 0, State.IDLE));
    return round;
  }

  /** Tells the NameNode that moves go on; one that is away hears it later. */
  private void sign(NameNodePlugin plugin, MoverCluster cluster) {
    try {
      ask(plugin, cluster, 0, 0, State.MOVING);
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot tell the NameNode that blocks are moved", e);
    }
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

  private List<Work> ask(
      NameNodePlugin plugin, MoverCluster cluster, int blocks, int leaseSeconds, State state)
      throws IOException {
    Question question =
        new Question(
            blocks,
            leaseSeconds,
            state,
            settings.limits().nodeBytesPerSecond(),
            settings.limits().allBytesPerSecond(),
            state == State.MOVING ? yieldingNodes : 0);
    return RepairCalls.parse(plugin.answer(cluster.active(), question.format()));
  }

  private static void tell(NameNodePlugin plugin, MoverCluster cluster, List<Result> results)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(RepairCalls.TELL));
    results.forEach(result -> arguments.add(result.format()));
    plugin.answer(cluster.active(), arguments.toArray(new String[0]));
  }
}
