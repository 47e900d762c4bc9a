package io.tierwise.hadoop.autotier;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.autotier.jobs.JobList;
import io.tierwise.hadoop.autotier.jobs.JobWatch;
import io.tierwise.hadoop.autotier.jobs.SubmittedJob;
import io.tierwise.hadoop.inspect.audit.LogHeat;
import io.tierwise.hadoop.inspect.audit.NameNodeLogs;
import io.tierwise.hadoop.inspect.cluster.ClusterUri;
import io.tierwise.hadoop.inspect.cluster.FailureText;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.policies.popularity.WindowFeed;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.security.AccessControlException;

/**
 * Follows the audit logs of a cluster's NameNodes and lets numbers of replicas follow the
 * popularity of files.
 *
 * <p>A round: 1. the reads of a window are counted; 2. the predictor says how popular each file
 * will be; 3. the decision engine makes replicas of that; 4. what does not pay, would flap, finds
 * no room or is somebody else's is left, with a reason; 5. each change is written into the mover's
 * journal and asked of HDFS, which copies and drops by itself.
 *
 * <p>It keeps nothing of its own: what it knows of reads it reads again from the log, and what it
 * changed stands in the journal. Ended in any way, it leaves files with the one or the other
 * number.
 */
public final class Autotier {
  /** Own: the NameNode writes a line when the call is done; a window waits so long for its last. */
  private static final long GRACE_MILLIS = 2_000;

  private static final long TICK_MILLIS = 1_000;

  /** Own: a plan asks a lot of a NameNode, which may be in trouble when one fails. */
  static final long REST_SECONDS = 10;

  private final MoverCluster cluster;
  private final ReadHistory history;
  private final WindowFeed windows;
  private final LastChanges lastChanges;
  private final ReplicaPlanner planner;
  private final AutotierSettings settings;
  private final Journal journal;
  private final InstantSource clock;
  private final Consumer<String> say;

  /** Lines of threads that move, for this one to say. */
  private final Queue<String> heard = new ConcurrentLinkedQueue<>();

  private final DaemonMover mover = new DaemonMover(heard::add);
  private Optional<JobLoop> jobs = Optional.empty();
  private RoundWork work;
  private int rounds;
  private long notBeforeNanos = System.nanoTime();
  private String said = "";

  /** The logs of the cluster's NameNodes, and the time zone that all of them write times in. */
  public record Logs(List<NameNodeLogs.Source> sources, ZoneId zone) {
    public Logs {
      sources = List.copyOf(sources);
    }
  }

  /**
   * Asks the cluster what it can hold; no log is read yet.
   *
   * @param journal in which earlier changes stand
   * @param say is told a line for people when something stands in the way
   */
  public Autotier(
      MoverCluster cluster,
      AutotierSettings settings,
      Logs logs,
      Journal journal,
      Consumer<String> say)
      throws IOException {
    cluster.requireNameNode();
    this.cluster = cluster;
    this.settings = settings;
    this.journal = journal;
    this.say = say;
    this.clock = InstantSource.system();
    lastChanges = LastChanges.of(journal, ClusterUri.of(cluster.fs()), say);
    planner = new ReplicaPlanner(cluster, settings, lastChanges, this::history);
    windows = new WindowFeed(settings.windowMillis(), settings.filesMax(), planner);
    LogHeat heat =
        new LogHeat(
                new LogHeat.Wish(
                    logs.sources().stream().map(NameNodeLogs.Source::file).toList(),
                    logs.zone(),
                    settings.windowMillis(),
                    null,
                    settings.filesMax()),
                windows)
            .notAfter(clock::millis);
    history = new ReadHistory(heat, logs.sources(), cluster.fs());
    planner.check(heat.report().keptMillis(), mover.stores());
    sayWhatIsNotThere();
    settings
        .rules()
        .ifPresent(
            file ->
                planner
                    .rules()
                    .obey(
                        RuleBook.load(
                            file,
                            logs.zone(),
                            new RuleBook.Checks(
                                cluster, planner.hardware(), settings, mover.stores()),
                            heat.report().keptMillis())));
    sayHeard();
  }

  private ReadHistory history() {
    return history;
  }

  /** Files may come later: a name that is mistyped looks the same. */
  private void sayWhatIsNotThere() throws IOException {
    for (String path : settings.below()) {
      try {
        if (cluster.fs().getClient().getFileInfo(path) == null) {
          say.accept(
              "--below " + path + ": nothing has that path now, so no file of it is changed");
        }
      } catch (AccessControlException e) {
        say.accept("--below " + path + ": HDFS does not let this user look there");
      }
    }
  }

  private double nowSeconds() {
    return clock.millis() / 1e3;
  }

  /**
   * Reads the log as it is, and plans what would be changed if the running window ended now.
   *
   * @throws OperatorException when the log has no read, or the NameNode is away
   */
  public RoundPlan plan() throws IOException {
    // The log has a line of it, so that it is seen to grow.
    cluster.fs().getClient().getFileInfo("/");
    history.read();
    if (!windows.isStarted()) {
      throw OperatorException.badInput(
          "no line of the log opens a file: nothing was read, or the NameNode's"
              + " dfs.namenode.audit.log.debug.cmdlist has \"open\", which leaves it out");
    }
    List<JobPlan> waiting = settings.prefetching().isPresent() ? jobPlans() : null;
    hearPeople();
    RoundPlan plan = planner.ofRunning(windows.running(), nowSeconds());
    return waiting == null ? plan : plan.with(waiting);
  }

  /** What jobs that wait would get; the plan of the round heeds them, as a running daemon does. */
  private List<JobPlan> jobPlans() throws IOException {
    FastTierMoves moves =
        planner.fastTier().orElseThrow().moves(JobLoop.withoutYield(settings.moving()));
    JobPlanner plans =
        JobPlanner.of(
            cluster, settings, moves, LastChanges.of(journal, ClusterUri.of(cluster.fs())));
    JobList list =
        JobWatch.once(cluster.conf(), settings.prefetching().orElseThrow().waitMillisMax());
    new IntermediateTiers(cluster.fs(), cluster.conf())
        .told(say)
        .forEach((application, told) -> plans.told(application, told.tier(), told.bytes()));
    plans.jobs().over(list);
    for (SubmittedJob job : list.running().values()) {
      plans.learn(job, nowSeconds());
    }
    List<JobPlan> all = new ArrayList<>();
    for (SubmittedJob job : list.waiting().values()) {
      all.add(plans.plan(job, list, nowSeconds()));
    }
    list.overdue().values().forEach(job -> all.add(JobPlan.overdue(job)));
    planner.heed(JobNeeds.of(plans.jobs()::needs));
    return all;
  }

  /** Jobs that wait, with what was done for them; null where nothing is done. */
  JobsTold jobsTold() {
    return jobs.map(JobLoop::told).orElse(null);
  }

  /** Says what may be done now. */
  interface Gate {
    /** Whether it should end; asked all the time. */
    boolean isStopped();

    /**
     * Whether files may be changed now; asked each second, and during a round.
     *
     * @throws Replaced when they never may any more
     */
    boolean mayChange() throws IOException;

    /**
     * Asked right before each change, from any thread; costs no call while it was answered within
     * seconds.
     *
     * @throws Replaced likewise
     */
    void requireLease() throws IOException;
  }

  /** Another daemon took over: this one must not change anything any more. */
  static final class Replaced extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Replaced(String message) {
      super(message);
    }
  }

  /**
   * Follows the log until it is stopped: a round at once, as if the running window ended now, and
   * one at the end of each window. A NameNode that is away is waited for: the round is planned
   * again until it was made. While files may not be changed, reads are counted all the same.
   *
   * @param roundsMax ends after so many; 0 for never
   * @param told of each round
   */
  void run(int roundsMax, Consumer<Round> told, Gate gate)
      throws IOException, InterruptedException {
    WalkTurns.Pulse pulse = () -> beat(gate);
    planner.beat(pulse);
    planner.bound(
        new RuleRounds.Turn(
            settings.callsMax(),
            TimeUnit.MILLISECONDS.toNanos(settings.windowMillis()) / 2,
            pulse));
    prefetch(gate);
    try {
      history.follow(
          TICK_MILLIS,
          () -> tick(told, gate),
          () -> work == null && (gate.isStopped() || (roundsMax > 0 && rounds >= roundsMax)));
    } finally {
      stopWork();
      planner.rules().end();
      if (jobs.isPresent()) {
        jobs.get().close();
      }
      sayHeard();
    }
  }

  private void prefetch(Gate gate) {
    if (settings.prefetching().isPresent()) {
      JobLoop loop =
          new JobLoop(cluster, settings, planner.fastTier().orElseThrow(), journal, mover, gate);
      jobs = Optional.of(loop);
      planner.heed(loop);
      loop.start();
    }
  }

  /** Time passes while files are looked at: the lease is looked after, and a stop heard. */
  private void beat(Gate gate) throws IOException {
    if (gate.isStopped()) {
      throw new InterruptedIOException("stopped");
    }
    boolean may = gate.mayChange();
    jobs.ifPresent(loop -> loop.allow(may));
  }

  private void sayHeard() {
    for (String line = heard.poll(); line != null; line = heard.poll()) {
      say.accept(line);
    }
  }

  private void tick(Consumer<Round> told, Gate gate) {
    sayHeard();
    try {
      if (windows.isStarted()) {
        windows.passTo(clock.millis() - GRACE_MILLIS);
      }
      boolean may = !gate.isStopped() && gate.mayChange();
      jobs.ifPresent(loop -> hear(loop, may));
      if (!may) {
        stopWork();
      } else if (work == null && windows.isStarted() && !rests()) {
        begin(gate);
      } else if (work != null) {
        planner.askAgain(nowSeconds(), work::needs);
      }
      end(told);
      // The line stays while a round goes on: this one may fail for the same reason.
      said = rests() || work != null ? said : "";
    } catch (OperatorException e) {
      if (rounds == 0 && e.kind() == OperatorException.Kind.BAD_INPUT) {
        throw e; // What was asked for cannot be done: nobody would see it later.
      }
      rest();
      sayOnce(FailureText.line(e));
    } catch (IOException e) {
      // A NameNode that is away or fails over: told when it is new, and tried again.
      rest();
      if (!gate.isStopped()) {
        sayOnce(FailureText.line(FailureText.cause(e)));
      }
    } catch (Replaced e) {
      stopWork();
      throw e;
    }
  }

  private void hear(JobLoop loop, boolean may) {
    loop.allow(may);
    loop.said().forEach(say);
    planner.moved(journal, loop.made());
  }

  private boolean rests() {
    return System.nanoTime() - notBeforeNanos < 0;
  }

  private void rest() {
    notBeforeNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(REST_SECONDS);
  }

  private void stopWork() {
    if (work != null) {
      work.stop();
    }
  }

  /** People move files between HDFS and the store while the daemon runs. */
  private void hearPeople() {
    if (settings.unreadFor().isPresent()) {
      lastChanges.sent().addOfPeople(journal, ClusterUri.of(cluster.fs()), say);
    }
  }

  private void begin(Gate gate) throws IOException {
    hearPeople();
    Optional<RoundPlan> plan =
        rounds == 0
            ? Optional.of(planner.ofRunning(windows.running(), nowSeconds()))
            : planner.ofLastWindow(nowSeconds());
    if (plan.isPresent()) {
      if (!planner.rules().goesOn().isEmpty()) {
        say.accept(planner.rules().goesOn());
      }
      // Looking at files may have taken long, and somebody may have paused it since.
      if (!gate.isStopped() && gate.mayChange()) {
        jobs.ifPresent(
            loop -> loop.handOver(planner.fastTier().orElseThrow().takeOver(lastChanges)));
        work = new RoundWork(plan.get(), cluster, settings, journal, mover, gate).start();
      }
    }
  }

  private void end(Consumer<Round> told) throws IOException {
    if (work != null && work.isDone()) {
      RoundWork done = work;
      work = null;
      done.made().forEach(planner::made);
      // Before its failure, if it has one: what it moved until then is ours all the same.
      planner.moved(journal, done.ids());
      jobs.ifPresent(loop -> loop.moved(done.ids()));
      // One that the NameNode went away in is planned again after a rest, by the same window.
      Round round = done.result();
      planner.rules().roundMade();
      planner.roundMade();
      rounds++;
      told.accept(round);
    }
  }

  private void sayOnce(String line) {
    if (!line.equals(said)) {
      said = line;
      say.accept(line);
    }
  }
}
