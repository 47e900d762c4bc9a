package io.tierwise.experiments.advise;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.JobReads;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.experiments.run.CaseRuns;
import io.tierwise.experiments.run.CaseSpec;
import io.tierwise.experiments.run.RunListener;
import io.tierwise.experiments.run.WorkloadSize;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.RunCase;
import io.tierwise.simulator.report.StoppingRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/**
 * Replays the second half of a log's last reads on a virtual cluster, once for each choice of the
 * files that have a replica on the fastest tier. A choice by use sees the first half alone: only
 * the one by hindsight knows what comes.
 *
 * <p>Own: a read is a job that starts at once, of what {@link ReplayTrace} says. Files that the log
 * does not read take no part.
 */
public final class LogReplay {
  /** HDFS's readers know distances alone, and pass a fast replica by as often as not. */
  static final String HDFS_ACCESS = "network-aware";

  private static final long SEED = 1;

  /** A file that was read once may never be read again. */
  private static final int HOT_READS_MIN = 2;

  /** Own: half of them teach, and a mean of fewer says nothing. */
  private static final int READS_MIN = 10;

  private final ReadHistory history;
  private final JobReads jobs;
  private final ReplayTrace trace;
  private final int firstRead;
  private final ReplayCluster cluster;
  private final FastSet sets;
  private final double bytes;
  private final Question question;

  /**
   * What is replayed, and where.
   *
   * @param history of which the last {@code readsMax} reads take part
   * @param jobs of these reads
   * @param clusterFile a scenario file or a named cluster; its workload, files and faults are left
   *     out
   * @param site that holds in the place of what the cluster has
   * @param coldBytes that other storage of what nobody reads would free on the slow tier
   */
  public record Question(
      ReadHistory history,
      JobReads jobs,
      String clusterFile,
      ReplaySite site,
      int readsMax,
      long coldBytes) {}

  private LogReplay(
      Question question,
      ReadHistory last,
      ReplayTrace trace,
      int firstRead,
      ReplayCluster cluster) {
    this.question = question;
    this.history = last;
    this.jobs = question.jobs().last(question.readsMax());
    this.trace = trace;
    this.firstRead = firstRead;
    this.cluster = cluster;
    sets = new FastSet(last, cluster.room(cluster.fast()));
    bytes = last.files().stream().mapToDouble(file -> (double) file.bytes()).sum();
  }

  /**
   * Refuses a cluster that cannot be replayed on, whatever the reads are.
   *
   * @param clusterFile a scenario file or a named cluster
   * @throws OperatorException one line that says why
   */
  public static void requireCluster(String clusterFile) {
    ReplayCluster.of(clusterFile, Path.of("reads.json"), 1, ReplaySite.UNKNOWN);
  }

  /**
   * Replays.
   *
   * @throws OperatorException one line when there are too few reads, or no room for their files
   */
  public static ReplayAnswer replay(
      Question question, RunListener listener, BooleanSupplier stopped) throws IOException {
    ReadHistory last = question.history().last(question.readsMax());
    if (last.readCount() < READS_MIN) {
      throw OperatorException.badInput(
          last.readCount()
              + " reads are too few for a replay: give a longer log, or leave --cluster out");
    }
    Path folder = Files.createTempDirectory("tierwise-advise");
    Path file = folder.resolve("reads.json");
    try {
      int firstRead = last.readCount() / 2;
      ReplayTrace trace = new ReplayTrace(last, question.jobs().last(question.readsMax()));
      trace.write(firstRead, file);
      ReplayCluster cluster =
          ReplayCluster.of(question.clusterFile(), file, usualReplicas(last), question.site());
      return new LogReplay(question, last, trace, firstRead, cluster).run(listener, stopped);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  /** The number of replicas that most of the bytes read have. */
  private static int usualReplicas(ReadHistory history) {
    Map<Integer, Double> bytes = new LinkedHashMap<>();
    for (int file : history.readFiles()) {
      ReadHistory.ReadFile read = history.files().get(file);
      bytes.merge(Math.max(1, read.replicas()), (double) read.bytes(), Double::sum);
    }
    return bytes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElseThrow();
  }

  private ReplayAnswer run(RunListener listener, BooleanSupplier stopped) {
    cluster.requireRoom(bytes);
    EnumMap<ReplayAnswer.Choice, boolean[]> choices = new EnumMap<>(ReplayAnswer.Choice.class);
    boolean[] learned = sets.mostRead(0, firstRead, HOT_READS_MIN);
    choices.put(ReplayAnswer.Choice.AS_STORED, sets.asStored());
    choices.put(ReplayAnswer.Choice.DRAWN_BLINDLY, sets.drawn(sets.bytes(learned), SEED));
    choices.put(ReplayAnswer.Choice.HOT_SET, learned);
    choices.put(ReplayAnswer.Choice.BY_HINDSIGHT, sets.mostRead(firstRead, history.readCount(), 1));
    List<CaseSpec> cases = new ArrayList<>();
    choices.forEach(
        (choice, chosen) ->
            cases.add(
                new CaseSpec(
                    choice.name(), cluster.with(history.files(), chosen, access(choice)))));
    int last = history.readCount() - 1;
    double seconds = history.readSeconds()[last] - history.readSeconds()[firstRead];
    ReplicaReplay replicas = new ReplicaReplay(cluster, history.files());
    boolean withReplicas = ReplicaReplay.holds(seconds);
    cases.addAll(withReplicas ? replicas.cases() : List.of());
    int threads = Math.min(cases.size(), Runtime.getRuntime().availableProcessors());
    List<WorkloadSize> sizes = WorkloadSize.check(cases, threads, remark -> {});
    List<RunCase> ran =
        new CaseRuns(WorkloadSize.expect(cases, sizes), StoppingRule.exactly(1), listener, stopped)
            .run(threads);
    List<ReplayAnswer.Row> rows =
        ran.stream()
            .filter(each -> choices.keySet().stream().anyMatch(c -> c.name().equals(each.label())))
            .map(each -> row(each, choices))
            .toList();
    ReplayAnswer answer =
        new ReplayAnswer(
            firstRead,
            history.readCount() - firstRead,
            seconds,
            cluster.nodeCount(),
            cluster.fast(),
            cluster.slow(),
            cluster.replicas(),
            rows,
            withReplicas ? replicas.answer(ran, bytes) : null,
            cold(),
            null,
            question.site().blockBytes() > 0 ? cluster.sited(question.site()) : null);
    return jobs.isEmpty() || !answer.complete()
        ? answer
        : answer.with(new JobGains(history, jobs, trace, firstRead).answer(ran, answer, choices));
  }

  private ReplayAnswer.Cold cold() {
    OptionalDouble watts = cluster.freedWatts(question.coldBytes());
    return new ReplayAnswer.Cold(
        question.coldBytes(),
        cluster.freedDollars(question.coldBytes()),
        watts.isEmpty() ? null : watts.getAsDouble());
  }

  private static String access(ReplayAnswer.Choice choice) {
    return choice == ReplayAnswer.Choice.AS_STORED ? HDFS_ACCESS : "auto";
  }

  private ReplayAnswer.Row row(RunCase ran, Map<ReplayAnswer.Choice, boolean[]> choices) {
    ReplayAnswer.Choice choice = ReplayAnswer.Choice.valueOf(ran.label());
    boolean[] chosen = choices.get(choice);
    RunResult run = ran.runs().get(0);
    RunResult.Reads reads = run.reads();
    double joules = run.cost().nodeJoules() + Arrays.stream(run.cost().deviceJoulesByClass()).sum();
    double readBytes = Math.max(1.0, (double) reads.bytes());
    long fastBytes = sets.bytes(chosen);
    return new ReplayAnswer.Row(
        choice,
        FastSet.count(chosen),
        fastBytes,
        run.jobs().meanSeconds() * run.jobs().finished(),
        run.jobs().meanSeconds(),
        run.jobs().p95Seconds(),
        reads.bytesByTier()[0] / readBytes,
        reads.cachedBytes() / readBytes,
        joules,
        joules / Math.max(1e-9, run.makespanSeconds()),
        run.cost().energyDollars(),
        cluster.dollars(bytes, (double) fastBytes));
  }
}
