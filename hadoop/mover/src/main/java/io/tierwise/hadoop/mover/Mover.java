package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.policies.movement.MoveTurns.Yielded;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * Brings the stored blocks of files to a layout while the cluster works.
 *
 * <p>A block keeps at every moment as many replicas as it had: HDFS copies first and drops the old
 * replica when the NameNode has the new one. A mover that is ended, in whatever way, leaves blocks
 * as they are at that moment; the next one plans what is left.
 *
 * <p>Needs HDFS's superuser. {@link #open} takes the cluster's one lock; {@link #plan} needs none.
 */
public final class Mover implements Closeable {
  /** Own: a NameNode that works answers within a second. */
  private static final long CLOSE_MILLIS_MAX = TimeUnit.SECONDS.toMillis(10);

  private final MoverCluster cluster;
  private final MoverSettings settings;
  private final MoverConnection connection;
  private final Foreground foreground;
  private final MoverMemory memory;
  private MoveLog log = MoveLog.NONE;
  private volatile MoverRun run;
  private volatile boolean stopped;

  private Mover(
      MoverCluster cluster,
      MoverSettings settings,
      MoverConnection connection,
      MoverMemory memory) {
    this.cluster = cluster;
    this.settings = settings;
    this.connection = connection;
    this.memory = memory;
    this.foreground =
        Foreground.start(cluster.conf(), settings.limits(), connection, memory.services());
  }

  /**
   * Takes the lock of the cluster's one mover.
   *
   * @throws io.tierwise.core.message.OperatorException when another one has it, or when this user
   *     is not HDFS's superuser
   */
  public static Mover open(MoverCluster cluster, MoverSettings settings) throws IOException {
    return open(cluster, settings, new MoverMemory(line -> {}));
  }

  /**
   * The same for one of several movers, one after the other.
   *
   * @param memory of those before
   */
  static Mover open(MoverCluster cluster, MoverSettings settings, MoverMemory memory)
      throws IOException {
    MoverConnection connection = MoverConnection.open(cluster.fs().getUri(), cluster.conf());
    try {
      return new Mover(cluster, settings, connection, memory);
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Whether a mover has the cluster's lock, so that another one would be refused. */
  public static boolean isLocked(MoverCluster cluster) throws IOException {
    return MoverConnection.isLocked(cluster.fs());
  }

  /**
   * Has each move written down before it starts, and its result. Without this nobody can tell
   * afterwards what was moved, or undo it.
   */
  public Mover writingTo(JournalRun run) {
    log = new JournaledMoves(run, cluster.tiers().table(), cluster.regions());
    return this;
  }

  /** The same into a journal that begins with the first move. */
  Mover writingTo(LateJournal journal) {
    log = new JournaledMoves(journal::begun, cluster.tiers().table(), cluster.regions());
    return this;
  }

  /** Plans what {@link #run} would do now; nothing is changed. */
  public static MoverReport plan(MoverCluster cluster, MoverSettings settings, MoveOrder order)
      throws IOException {
    return plan(cluster, settings, sourceOf(cluster, order));
  }

  /** Plans what {@link #undo} would do now; nothing is changed. */
  public static MoverReport planUndo(MoverCluster cluster, MoverSettings settings, Undo undo)
      throws IOException {
    return plan(cluster, settings, undo.moves());
  }

  /** Plans what {@link #repair} would do now; nothing is changed. */
  static MoverReport planRepair(MoverCluster cluster, MoverSettings settings, RepairBatch batch)
      throws IOException {
    return plan(cluster, settings, batch);
  }

  private static MoverReport plan(
      MoverCluster cluster, MoverSettings settings, BlockIntake.Source source) throws IOException {
    // Says in one line who may ask.
    ClusterVolumes volumes = ClusterVolumes.read(cluster.fs(), cluster.tiers());
    Planner planner =
        Planner.ofMoment(
            () -> cluster.fs().getClient().getDatanodeStorageReport(DatanodeReportType.LIVE),
            cluster.names(),
            settings);
    Tally tally = new Tally(cluster.tiers().table());
    plan(cluster.fs(), source, planner, tally);
    return tally
        .report(tally.secondsAt(settings), Yielded.NOTHING, false)
        .ofPlan(volumes, tally.energy(cluster.tiers().source()));
  }

  /** Has all blocks of a source planned and counted; memory does not grow with their number. */
  static void plan(
      DistributedFileSystem fs, BlockIntake.Source source, Planner planner, Tally tally)
      throws IOException {
    source.offer(fs, new BlockIntake(planner, tally, tally::planned));
  }

  /**
   * Moves, and returns when the NameNode reports every move in place, or when it was stopped. Once
   * only.
   */
  public MoverReport run(MoveOrder order, Listener.Step progress) throws IOException {
    return run(sourceOf(cluster, order), progress);
  }

  /** The same for the way back to where replicas were before a run. */
  public MoverReport undo(Undo undo, Listener.Step progress) throws IOException {
    return run(undo.moves(), progress);
  }

  private static BlockIntake.Source sourceOf(MoverCluster cluster, MoveOrder order) {
    return new BlockIntake.Source() {
      @Override
      public void offer(DistributedFileSystem fs, BlockIntake intake) throws IOException {
        new Intake(cluster, order, intake).walk(fs);
      }

      @Override
      public boolean waitsForHdfs() {
        return true;
      }
    };
  }

  private MoverReport run(BlockIntake.Source source, Listener.Step progress) throws IOException {
    return besideUnseen(begin(progress, log).run(source));
  }

  private MoverReport besideUnseen(MoverReport report) {
    return report.besideUnseen(foreground.unseenShuffle(), OtherMovers.line(unseenMovers()));
  }

  /** Name services whose movers could not always be heeded. */
  List<OtherNameService.Silent> unseenMovers() {
    return foreground.unseenMovers();
  }

  /**
   * Moves the blocks that a NameNode's monitor gave out; may be called again and again.
   *
   * @param secondsMax after which no more blocks are begun
   */
  MoverReport repair(RepairBatch batch, Listener.Step progress, double secondsMax)
      throws IOException {
    MoverRun repairing = begin(progress, batch.logging(log));
    repairing.windDownAfter(secondsMax);
    return besideUnseen(repairing.run(batch));
  }

  private MoverRun begin(Listener.Step progress, MoveLog written) throws IOException {
    MoverRun begun =
        new MoverRun(cluster, settings, connection, foreground, memory, progress, written);
    run = begun;
    if (stopped) {
      begun.stop();
    }
    return begun;
  }

  /** Ends a run within seconds: nothing starts any more, and {@link #run} returns. */
  public void stop() {
    stopped = true;
    MoverRun running = run;
    if (running != null) {
      running.stop();
    }
  }

  /**
   * Gives the lock back, also on a thread that was interrupted. After a stop a NameNode that does
   * not answer is not waited for: it is given back later, or a minute after the process has ended.
   */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    foreground.close();
    Thread closing = RunThreads.daemon(connection::close, "mover-close");
    closing.start();
    if (isInterruptedInJoin(closing, stopped ? CLOSE_MILLIS_MAX : 0)) {
      interrupted = true;
      isInterruptedInJoin(closing, CLOSE_MILLIS_MAX);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isInterruptedInJoin(Thread thread, long millis) {
    try {
      thread.join(millis);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }
}
