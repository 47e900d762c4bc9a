package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.mover.JobRun;
import io.tierwise.hadoop.mover.MoveOrder;
import io.tierwise.hadoop.mover.Mover;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.mover.MoverJob;
import io.tierwise.hadoop.mover.MoverReport;
import io.tierwise.hadoop.mover.MoverSettings;
import io.tierwise.hadoop.mover.Undo;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.fs.StorageType;

/**
 * Brings all replicas of an application's input to a tier, by the mover, and takes that back by the
 * journal: each replica to the tier and region that it was in, each file's storage policy to what
 * it was.
 *
 * <p>Source: DerbyhatS, Table 6.3. Own: all replicas, so that no read of a configuration is served
 * by the other tier; {@code autotier} brings one.
 */
final class InputPlacement {
  private static final String COMMAND = "profile run";

  /** Own: HDFS drops old replicas within two heartbeats and its redundancy interval. */
  private static final double GOING_SECONDS_MAX = 120;

  /** Own: {@code monitor run} gives the lock back after ten minutes, and what it has begun then. */
  private static final long LOCKED_SECONDS_MAX = 900;

  /** HDFS's storage policy that keeps all replicas on a type, so that it drops none of them. */
  private static final Map<StorageType, String> KEEPING =
      Map.of(
          StorageType.SSD, "ALL_SSD",
          StorageType.DISK, "HOT",
          StorageType.ARCHIVE, "COLD",
          StorageType.NVDIMM, "ALL_NVDIMM");

  private final MoverCluster cluster;
  private final MoverSettings settings;
  private final Journal journal;
  private final ProfilingLock lock;
  private final StopSign stop;
  private final Listener listener;
  private final List<String> runs = new ArrayList<>();
  private JobRun bringing;

  InputPlacement(
      MoverCluster cluster,
      MoverSettings settings,
      Journal journal,
      ProfilingLock lock,
      StopSign stop,
      Listener listener) {
    this.cluster = cluster;
    this.settings = settings;
    this.journal = journal;
    this.lock = lock;
    this.stop = stop;
    this.listener = listener;
  }

  /** Foretells {@link #bring}, with a report for each number of replicas. */
  static List<MoverReport> plan(
      MoverCluster cluster, MoverSettings settings, InputFiles files, Tier tier)
      throws IOException {
    List<MoverReport> plans = new ArrayList<>();
    for (MoverJob job : jobs(cluster, files, tier)) {
      plans.add(job.plan(settings));
    }
    return plans;
  }

  /**
   * Refuses a plan that leaves something where it is.
   *
   * @param what nothing was changed, or what was
   */
  static void requireWhole(List<MoverReport> reports, Tier tier, String what) {
    for (MoverReport report : reports) {
      if (!report.left().isEmpty()) {
        throw OperatorException.cluster(
            "not all of --input can be in "
                + tier.name()
                + ": "
                + report.left().get(0).text()
                + "; "
                + what,
            null);
      }
    }
  }

  private static List<MoverJob> jobs(MoverCluster cluster, InputFiles files, Tier tier) {
    List<MoverJob> jobs = new ArrayList<>();
    files.ids().forEach((replicas, ids) -> jobs.add(job(cluster, tier, replicas, ids)));
    return jobs;
  }

  private static MoverJob job(
      MoverCluster cluster, Tier tier, int replicas, Map<String, Long> files) {
    return MoverJob.of(
        cluster,
        MoveOrder.to(layout(tier, replicas), List.copyOf(files.keySet()), cluster.tiers())
            .only(files)
            .under(storagePolicies(cluster, tier, files.keySet())));
  }

  private static String layout(Tier tier, int replicas) {
    return replicas + " x " + tier.name();
  }

  private static Map<String, String> storagePolicies(
      MoverCluster cluster, Tier tier, Set<String> paths) {
    Set<StorageType> types = cluster.tiers().matcher().match(tier.index()).storageTypes();
    String keeping = types.size() == 1 ? KEEPING.get(types.iterator().next()) : null;
    Map<String, String> policies = new HashMap<>();
    if (keeping != null) {
      paths.forEach(path -> policies.put(path, keeping));
    }
    return policies;
  }

  /**
   * Brings all of it, and returns when no replica is elsewhere.
   *
   * @throws OperatorException when something stays elsewhere
   * @throws StopSign.Stopped when it was stopped
   */
  void bring(InputFiles files, Tier tier) throws IOException {
    if (files.bytesOutside(cluster, tier.index()) == 0) {
      return;
    }
    for (Map.Entry<Integer, Map<String, Long>> group : files.ids().entrySet()) {
      MoverJob job = job(cluster, tier, group.getKey(), group.getValue());
      MoverReport plan = job.plan(settings);
      JobRun run = new JobRun(cluster, settings, job);
      begin(run);
      try {
        MoverReport report =
            run.run(plan, () -> beginJournal(files, layout(tier, group.getKey())), listener)
                .report();
        stop.check();
        requireWhole(List.of(report), tier, "the application was not run there");
      } finally {
        begin(null);
      }
    }
    if (!stop.await(() -> files.bytesOutside(cluster, tier.index()) == 0, GOING_SECONDS_MAX)) {
      throw OperatorException.cluster(
          Words.bytes(files.bytesOutside(cluster, tier.index()))
              + " of replicas of --input are not in "
              + tier.name()
              + " though they were moved: HDFS keeps them elsewhere",
          null);
    }
  }

  private synchronized void begin(JobRun run) {
    bringing = run;
    if (run != null && stop.isSet()) {
      run.stop();
    }
  }

  /** Ends {@link #bring} within seconds; from any thread. */
  synchronized void stop() {
    if (bringing != null) {
      bringing.stop();
    }
  }

  private JournalRun beginJournal(InputFiles files, String to) throws IOException {
    List<String> paths =
        files.ids().values().stream().flatMap(ids -> ids.keySet().stream()).toList();
    JournalRun begun = journal.begin(COMMAND, cluster.fs(), paths, to, null);
    runs.add(begun.id());
    lock.note(begun.id());
    listener.say(
        "--input moves to "
            + to
            + " (journal: "
            + begun.id()
            + "); it goes back at the end, also after a kill, by the next 'tierwise profile run' or"
            + " 'tierwise undo "
            + begun.id()
            + "'");
    return begun;
  }

  /**
   * Takes all that was brought back, the last run first.
   *
   * @return what stays elsewhere, a line each; empty when all is as it was
   */
  List<String> putBack() throws IOException {
    return putBack(runs);
  }

  /** Takes back what a process that was killed brought, and says so. */
  void putBackLeft() throws IOException {
    LeftRuns left = LeftRuns.of(journal, lock.left());
    left.line().ifPresent(listener::say);
    if (!left.known().isEmpty()) {
      listener.say(
          "a profile run was killed and left its input elsewhere: it is put back first (undo of "
              + String.join(", ", left.known())
              + ")");
    }
    putBack(left.known()).forEach(listener::say);
  }

  private List<String> putBack(List<String> ids) throws IOException {
    List<String> newestFirst = new ArrayList<>(ids);
    Collections.reverse(newestFirst);
    List<String> stays = new ArrayList<>();
    for (String id : newestFirst) {
      PastRun past = PastRun.read(journal, id);
      past.requireCluster(cluster.fs());
      takeBackWhenFree(past)
          .forEach(
              left ->
                  stays.add(
                      left.text() + " ('tierwise undo " + id + "' tries again to take it back)"));
    }
    lock.clear();
    return stays;
  }

  /** A mover that runs is waited for: what stays elsewhere, somebody would have to put back. */
  private List<MoverReport.Left> takeBackWhenFree(PastRun past) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LOCKED_SECONDS_MAX);
    boolean isSaid = false;
    while (true) {
      try {
        return takeBack(past);
      } catch (OperatorException e) {
        boolean isOver = System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted();
        if (isOver || !Mover.isLocked(cluster)) {
          throw e;
        }
        if (!isSaid) {
          listener.say("--input goes back as soon as it can: " + e.getMessage());
          isSaid = true;
        }
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      }
    }
  }

  private List<MoverReport.Left> takeBack(PastRun past) throws IOException {
    String id = past.begin().id();
    JobRun.Start start =
        () -> journal.begin(COMMAND, cluster.fs(), past.begin().paths(), "undo " + id, id);
    Undo undo = new Undo(cluster, past);
    List<MoverReport.Left> left = new ArrayList<>();
    if (undo.hasMoves()) {
      left.addAll(
          new JobRun(cluster, settings, undo)
              .run(undo.plan(settings), start, listener)
              .report()
              .left());
    } else {
      undo.change(start);
    }
    left.addAll(undo.changesLeft());
    return left;
  }
}
