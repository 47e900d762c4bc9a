package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.JobWatch;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
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

/**
 * Looks at jobs that wait, and prefetches for them, in a thread of its own: a round may take an
 * hour, and a job waits for seconds. What it has to tell it leaves for the daemon's own thread.
 */
final class JobLoop implements Runnable, JobNeeds {
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
  private final ToldJobs toldJobs;
  private final Autotier.Gate gate;
  private final InstantSource clock = InstantSource.system();
  private final Thread thread = new Thread(this, "autotier-jobs");
  private final Queue<String> said = new ConcurrentLinkedQueue<>();
  private final Queue<String> made = new ConcurrentLinkedQueue<>();
  private final List<String> begun = new ArrayList<>();
  private final MoveHindrances hindrances = new MoveHindrances(this::say);
  private final Set<String> overdue = new HashSet<>();
  private String lastFailure = "";
  private long withdrawn;
  private volatile boolean allowed;
  private volatile boolean wasStopped;
  private final CountDownLatch ends = new CountDownLatch(1);
  private volatile boolean closed;
  private final Queue<String> moved = new ConcurrentLinkedQueue<>();
  private final Queue<Long> handedOver = new ConcurrentLinkedQueue<>();
  private volatile Current current;

  /** Whether the jobs that ran before this daemon were looked at. */
  private volatile boolean isKnown;

  private String leftOut = "";
  private volatile JobsTold told;

  /** The job for which files are moved now. */
  private static final class Current {
    private final String application;
    private volatile boolean isOver;

    Current(String application) {
      this.application = application;
    }
  }

  /**
   * Nothing is done before {@link #start}.
   *
   * @param mover of all that move for this daemon
   * @throws OperatorException when the configuration names no ResourceManager, or there is no
   *     catalog
   */
  JobLoop(
      MoverCluster cluster,
      AutotierSettings settings,
      FastTier fast,
      Journal journal,
      DaemonMover mover,
      Autotier.Gate gate) {
    this.cluster = cluster;
    this.journal = journal;
    this.gate = gate;
    bounds = settings.prefetching().orElseThrow();
    lastChanges = LastChanges.of(journal, ClusterUri.of(cluster.fs()));
    MoverSettings moving = withoutYield(settings.moving());
    planner = JobPlanner.of(cluster, settings, fast.moves(moving), lastChanges);
    runs = new TierMoveRuns(cluster, moving, mover, this::begin, this::mayMove);
    toldJobs = new ToldJobs(new IntermediateTiers(cluster.fs(), cluster.conf()), planner, gate);
    watch = JobWatch.of(cluster.conf(), bounds.waitMillisMax(), this::heard);
    told = new JobsTold(0, 0, 0, 0, 0, 0, bounds.regionBytes(), planner.temporaryBytes(), null);
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
      wasStopped = true;
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

  private static <T> List<T> drained(Queue<T> queue) {
    List<T> all = new ArrayList<>();
    for (T each = queue.poll(); each != null; each = queue.poll()) {
      all.add(each);
    }
    return all;
  }

  @Override
  public long reservedBytes() {
    return Math.max(0, told.regionBytes() - told.takenBytes());
  }

  @Override
  public boolean needs(long fileId) {
    return !isKnown || planner.jobs().needs(fileId);
  }

  /** Files that were prefetched are popular now, and others look after them; from any thread. */
  void handOver(Set<Long> files) {
    handedOver.addAll(files);
    if (!files.isEmpty()) {
      said.add(
          Words.count(files.size(), "prefetched file")
              + (files.size() == 1 ? " stays: it is" : " stay: they are")
              + " popular now");
    }
  }

  /** Others of this daemon made runs of the journal; from any thread. */
  void moved(List<String> ids) {
    moved.addAll(ids);
  }

  private boolean mayMove() {
    Current now = current;
    return allowed && !closed && now != null && !now.isOver;
  }

  /** By the watch: input of a job that was killed is not copied any further. */
  private void heard(JobList list) {
    Current job = current;
    if (job != null && !list.has(job.application)) {
      job.isOver = true;
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
    } catch (Error e) {
      said.add("nothing is prefetched any more, for an error of Tierwise's: " + e);
      throw e;
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

  private void say(String line) {
    if (!closed) {
      said.add(line);
    }
  }

  private void look() throws IOException {
    Optional<JobList> now = watch.now();
    if (now.isEmpty()) {
      return;
    }
    hear();
    planner.look(seconds());
    toldJobs.know(said::add);
    withdraw(now.get());
    if (!allowed) {
      // During a pause nothing changes here but the knowledge of others' changes.
      planner.jobs().over(now.get());
      tell(now.get().waiting().size(), 0, 0, 0, 0);
      return;
    }
    toldJobs.keepOnly(now.get());
    if (lookAt(planner.jobs().due(now.get(), seconds()))) {
      isKnown = true;
    }
    planner.jobs().over(now.get());
    sayLeftOut();
    tell(now.get().waiting().size(), 0, 0, 0, 0);
  }

  /** Whether all of them were looked at, those that run first. */
  private boolean lookAt(List<SubmittedJob> due) throws IOException {
    for (SubmittedJob job : due) {
      // A prefetch may have taken long: this job may have begun since, or be over.
      Optional<JobList> list = watch.now();
      if (list.isEmpty() || !allowed || closed) {
        return false;
      }
      hear();
      planner.jobs().over(list.get());
      if (list.get().waiting().containsKey(job.application())) {
        carryOut(job, planner.plan(job, list.get(), seconds()), list.get());
      } else if (list.get().running().containsKey(job.application())) {
        planner.learn(job, seconds());
      }
    }
    return true;
  }

  /** Said once, until all have room again. */
  private void sayLeftOut() {
    String now = planner.jobs().leftOut();
    if (leftOut.isEmpty() && !now.isEmpty()) {
      said.add(now);
    }
    leftOut = now;
  }

  private double seconds() {
    return clock.millis() / 1e3;
  }

  private void hear() {
    drained(moved).forEach(id -> planner.moved(PastRun.read(journal, id)));
    planner.handOver(drained(handedOver));
  }

  /** Jobs of queues that run nothing would hold room for ever. */
  private void withdraw(JobList list) {
    overdue.retainAll(list.overdue().keySet());
    for (SubmittedJob job : list.overdue().values()) {
      String application = job.application();
      boolean holds = planner.jobs().holdsRoom(application) || toldJobs.has(application);
      if (holds && overdue.add(application)) {
        withdrawn++;
        JobPlan.overdue(job).lines().forEach(said::add);
      }
    }
  }

  private void carryOut(SubmittedJob job, JobPlan plan, JobList list) throws IOException {
    said.addAll(plan.lines());
    isKnown = true; // Those that run were looked at before it.
    current = new Current(job.application());
    wasStopped = !allowed;
    long left = 0;
    long came = 0;
    boolean done = false;
    try {
      toldJobs.tell(plan, said::add);
      left = move(plan.leaving());
      came = move(plan.coming());
      // The pause may be over by now, but it stopped this run.
      done = !wasStopped;
    } catch (OperatorException e) {
      // A person's own move has the lock.
      hindrances.refused(e.getMessage());
    } finally {
      current = null;
      if (came < plan.prefetchedBytes() && done) {
        // Refused, or without room.
        planner.notPrefetched(job);
      } else if (came < plan.prefetchedBytes() || !done) {
        planner.failed(job, seconds());
      }
      planner.settle();
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
        report.ifPresent(hindrances::ended);
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

  private void tell(long waiting, long looked, long prefetched, long came, long left) {
    told =
        new JobsTold(
            waiting,
            told.looked() + looked,
            told.prefetched() + prefetched,
            told.prefetchedBytes() + came,
            told.leftBytes() + left,
            withdrawn,
            bounds.regionBytes(),
            planner.temporaryBytes(),
            watch.away().isEmpty() ? null : watch.away());
  }
}
