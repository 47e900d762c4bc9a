package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.JobWatch;
import io.tierwise.hadoop.autotier.jobs.WaitingJob;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.ReplicaMark;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks at jobs that wait, and prefetches for them, in a thread of its own: a round may take an
 * hour, and a job waits for seconds. What it has to tell it leaves for the daemon's own thread.
 */
final class JobLoop implements Runnable {
  private static final long REST_MILLIS = 1_000;

  /** Own: a move in progress ends within seconds when it is told to. */
  private static final long END_MILLIS_MAX = 60_000;

  private final JobPlanner planner;
  private final LastChanges lastChanges;
  private final Prefetching bounds;
  private final MoverCluster cluster;
  private final Journal journal;
  private final TierMoveRuns runs;
  private final JobWatch watch;
  private final IntermediateTiers intermediate;
  private final Autotier.Gate gate;
  private final InstantSource clock = InstantSource.system();
  private final Thread thread = new Thread(this, "autotier-jobs");
  private final Queue<String> said = new ConcurrentLinkedQueue<>();
  private final Queue<String> made = new ConcurrentLinkedQueue<>();
  private final List<String> begun = new ArrayList<>();
  private final Set<String> toldTiers = new HashSet<>();
  private String lastFailure = "";
  private boolean keptTiers;
  private volatile boolean allowed;
  private final CountDownLatch ends = new CountDownLatch(1);
  private volatile boolean closed;
  private volatile String current;
  private volatile boolean currentIsOver;
  private volatile JobsTold told;

  /**
   * Nothing is done before {@link #start}.
   *
   * @param turn of all that move for this daemon
   * @throws OperatorException when the configuration names no ResourceManager, or there is no
   *     catalog
   */
  JobLoop(
      MoverCluster cluster,
      AutotierSettings settings,
      FastTier fast,
      Journal journal,
      ReentrantLock turn,
      Autotier.Gate gate) {
    this.cluster = cluster;
    this.journal = journal;
    this.gate = gate;
    bounds = settings.prefetching().orElseThrow();
    lastChanges = LastChanges.of(journal, cluster.fs().getUri().toString());
    MoverSettings moving = withoutYield(settings.moving());
    planner = JobPlanner.of(cluster, settings, fast.moves(moving), lastChanges);
    runs = new TierMoveRuns(cluster, moving, turn, this::begin, this::mayMove);
    intermediate = new IntermediateTiers(cluster.fs(), cluster.conf());
    watch = JobWatch.of(cluster.conf(), this::heard);
    told = new JobsTold(0, 0, 0, 0, 0, bounds.regionBytes(), planner.temporaryBytes(), null);
    thread.setDaemon(true);
  }

  /**
   * A prefetch goes at its full rate beside a shuffle, since a job waits for it. Source: DerbyhatS,
   * 6.1.8.
   */
  static MoverSettings withoutYield(MoverSettings moving) {
    return moving.with(moving.limits().yieldingAboveShuffle(0));
  }

  void start() {
    watch.start();
    thread.start();
  }

  /** Whether files may be changed now; what moves ends within seconds when not. */
  void allow(boolean may) {
    allowed = may;
    if (!may) {
      runs.stop();
    }
  }

  /** Ends it, and what it moves. */
  void close() throws InterruptedException {
    closed = true;
    ends.countDown();
    runs.stop();
    watch.close();
    thread.join(END_MILLIS_MAX);
  }

  /** What it has done; from any thread. */
  JobsTold told() {
    return told;
  }

  /** Lines for people since the last question. */
  List<String> said() {
    return drained(said);
  }

  /** Runs of the journal that it made since the last question. */
  List<String> made() {
    return drained(made);
  }

  private static List<String> drained(Queue<String> queue) {
    List<String> all = new ArrayList<>();
    for (String each = queue.poll(); each != null; each = queue.poll()) {
      all.add(each);
    }
    return all;
  }

  /** Bytes of the temporary region that are free, and not for others. */
  long reservedBytes() {
    return Math.max(0, told.regionBytes() - told.takenBytes());
  }

  private boolean mayMove() {
    return allowed && !closed && !currentIsOver;
  }

  /** By the watch: input of a job that was killed is not copied any further. */
  private void heard(JobList list) {
    String job = current;
    if (job != null && !list.has(job)) {
      currentIsOver = true;
      runs.stop();
    }
  }

  private JournalRun begin(List<String> paths, String to) throws IOException {
    JournalRun run = journal.begin(ReplicaMark.COMMAND, cluster.fs(), paths, to, null);
    begun.add(run.id());
    return run;
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        long millis = turn() ? REST_MILLIS : TimeUnit.SECONDS.toMillis(Autotier.REST_SECONDS);
        boolean unused = ends.await(millis, TimeUnit.MILLISECONDS);
      }
    } catch (Autotier.Replaced e) {
      closed = true; // The daemon's own thread hears of it, too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether nothing stood in the way. */
  private boolean turn() {
    try {
      if (watch.away().isEmpty()) {
        look();
        lastFailure = "";
        return true;
      }
      failed(watch.away());
      tell(watch.now().map(list -> list.waiting().size()).orElse(0), 0, 0, 0, 0);
      return true;
    } catch (IOException e) {
      failed(FailureText.line(FailureText.cause(e)));
    } catch (OperatorException e) {
      failed(e.getMessage());
    } catch (Autotier.Replaced e) {
      throw e;
    } catch (RuntimeException e) {
      failed("jobs that wait were not looked at, for an error of Tierwise's: " + e);
    }
    return false;
  }

  private void failed(String line) {
    if (!line.equals(lastFailure) && !closed) {
      lastFailure = line;
      said.add(line);
    }
  }

  private void look() throws IOException {
    Optional<JobList> now = watch.now();
    if (now.isEmpty() || !allowed) {
      return;
    }
    JobList list = now.get();
    planner.over(list);
    if (!keptTiers || toldTiers.removeIf(application -> !list.has(application))) {
      gate.requireLease();
      intermediate.keepOnly(list);
      keptTiers = true;
    }
    for (WaitingJob job : list.waiting()) {
      double seconds = clock.millis() / 1e3;
      if (allowed && !closed && planner.isDue(job, list, seconds)) {
        carryOut(job, planner.plan(job, list, seconds), list);
      }
    }
    tell(list.waiting().size(), 0, 0, 0, 0);
  }

  private void carryOut(WaitingJob job, JobPlan plan, JobList list) throws IOException {
    said.addAll(plan.lines());
    if (plan.intermediateTier() != null) {
      gate.requireLease();
      toldTiers.add(job.application());
      intermediate.tell(job.application(), plan.intermediateTier());
    }
    currentIsOver = false;
    current = job.application();
    long left = 0;
    long came = 0;
    try {
      left = move(plan.leaving());
      came = move(plan.coming());
    } catch (OperatorException e) {
      // A person's own move has the lock: it is tried again when the job still waits.
      failed(e.getMessage());
    } finally {
      current = null;
      if (came < plan.prefetchedBytes()) {
        // Stopped, refused or without room: asked about again when the job waits for long.
        planner.notPrefetched(job);
      }
    }
    tell(list.waiting().size(), 1, came > 0 ? 1 : 0, came, left);
  }

  /** The bytes that were moved. */
  private long move(List<RoundPlan.TierMove> moves) throws IOException {
    long bytes = 0;
    try {
      for (RoundPlan.TierMove move : moves) {
        Optional<MoverReport> report = runs.run(move, gate);
        bytes += report.map(done -> done.moved().bytes()).orElse(0L);
        report.ifPresent(done -> done.left().forEach(one -> failed(left(one))));
      }
    } finally {
      for (String id : begun) {
        lastChanges.add(PastRun.read(journal, id));
        made.add(id);
      }
      begun.clear();
    }
    return bytes;
  }

  private static String left(MoverReport.Left one) {
    return "a prefetch left some: " + one.reason() + "; for example " + one.example();
  }

  private void tell(long waiting, long looked, long prefetched, long came, long left) {
    told =
        new JobsTold(
            waiting,
            told.looked() + looked,
            told.prefetched() + prefetched,
            told.prefetchedBytes() + came,
            told.leftBytes() + left,
            bounds.regionBytes(),
            planner.temporaryBytes(),
            watch.away().isEmpty() ? null : watch.away());
  }
}
