package io.tierwise.experiments.advise;

import io.tierwise.core.use.JobReads;
import io.tierwise.core.use.JobReads.ReadingJob;
import io.tierwise.core.use.ReadHistory;
import io.tierwise.experiments.advise.ReplayAnswer.Choice;
import io.tierwise.experiments.advise.ReplicationAnswer.Decider;
import io.tierwise.simulator.measure.RunResult;
import io.tierwise.simulator.report.RunCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What jobs gain in a replay, read by read.
 *
 * <p>Own: a job saves the sum of what its reads save, each by its maps, divided by the tasks that
 * it read with at the same time; no more than the time in which it read.
 */
final class JobGains {
  private final ReadHistory history;
  private final JobReads jobs;
  private final ReplayTrace trace;
  private final int firstRead;
  private final int[] readsOfJob;
  private final double[] bytesOfJob;
  private final Map<String, double[]> savedByPolicy = new LinkedHashMap<>();
  private final List<JobsAnswer.Policy> policies = new ArrayList<>();

  JobGains(ReadHistory history, JobReads jobs, ReplayTrace trace, int firstRead) {
    this.history = history;
    this.jobs = jobs;
    this.trace = trace;
    this.firstRead = firstRead;
    readsOfJob = new int[jobs.jobs().size()];
    bytesOfJob = new double[jobs.jobs().size()];
    for (int read = firstRead; read < history.readCount(); read++) {
      int job = jobs.jobOfRead()[read];
      if (job != JobReads.NONE) {
        readsOfJob[job]++;
        bytesOfJob[job] += (double) trace.bytes(read);
      }
    }
  }

  /** Takes the cases of a replay; rows are those of its answer. */
  JobsAnswer answer(List<RunCase> ran, ReplayAnswer replay, EnumMap<Choice, boolean[]> choices) {
    Map<String, double[]> seconds = new HashMap<>();
    ran.forEach(each -> seconds.put(each.label(), readSeconds(each.runs().get(0))));
    ReplayAnswer.Row stored = replay.rows().get(0);
    for (ReplayAnswer.Row row : replay.rows().subList(1, replay.rows().size())) {
      double[] saved = saved(seconds.get(stored.choice().name()), seconds.get(row.choice().name()));
      add(
          row.choiceText(),
          row.choice() == Choice.HOT_SET,
          saved,
          fastBytes(choices.get(row.choice())),
          new double[] {
            row.watts() - stored.watts(),
            row.energyDollars() - stored.energyDollars(),
            row.storageDollars() - stored.storageDollars()
          });
    }
    if (replay.replication() != null && !replay.replication().rows().isEmpty()) {
      List<ReplicationAnswer.Row> rows = replay.replication().rows();
      rows.subList(1, rows.size()).forEach(row -> add(row, rows.get(0), seconds));
    }
    return answer(replay.reads());
  }

  private void add(
      ReplicationAnswer.Row row, ReplicationAnswer.Row usual, Map<String, double[]> seconds) {
    double[] saved =
        saved(seconds.get(usual.decidedBy().title()), seconds.get(row.decidedBy().title()));
    add(
        row.decidedBy().title(),
        row.decidedBy() != Decider.ORACLE && row.decidedBy() != Decider.NULL_MODEL,
        saved,
        null,
        new double[] {
          row.watts() - usual.watts(),
          row.energyDollars() - usual.energyDollars(),
          row.storageDollars() - usual.storageDollars()
        });
  }

  /** How long each read took, the first replayed one first; NaN for one that failed. */
  private double[] readSeconds(RunResult run) {
    double[] seconds = new double[history.readCount() - firstRead];
    Arrays.fill(seconds, Double.NaN);
    for (int i = 0; i < run.jobTimes().ids().length; i++) {
      seconds[run.jobTimes().ids()[i]] = run.jobTimes().seconds()[i];
    }
    return seconds;
  }

  private double[] saved(double[] before, double[] after) {
    double[] saved = new double[jobs.jobs().size()];
    for (int i = 0; i < before.length; i++) {
      int job = jobs.jobOfRead()[firstRead + i];
      double seconds = before[i] - after[i];
      if (job != JobReads.NONE && Double.isFinite(seconds)) {
        int maps = trace.maps(firstRead + i);
        saved[job] += seconds * maps / jobs.jobs().get(job).readersMax();
      }
    }
    for (int job = 0; job < saved.length; job++) {
      double most = jobs.jobs().get(job).readSeconds();
      saved[job] = most > 0 ? Math.min(most, saved[job]) : saved[job];
    }
    return saved;
  }

  private long fastBytes(boolean[] chosen) {
    long bytes = 0;
    for (int read = firstRead; read < history.readCount(); read++) {
      boolean ofJob = jobs.jobOfRead()[read] != JobReads.NONE;
      bytes += ofJob && chosen[history.readFiles()[read]] ? trace.bytes(read) : 0;
    }
    return bytes;
  }

  private void add(
      String policy, boolean choosable, double[] saved, Long fastBytes, double[] more) {
    int gaining = 0;
    int slower = 0;
    for (int job = 0; job < saved.length; job++) {
      double least = JobsAnswer.GAIN_SHARE_MIN * jobs.jobs().get(job).seconds();
      gaining += readsOfJob[job] > 0 && saved[job] > 0 && saved[job] >= least ? 1 : 0;
      slower += readsOfJob[job] > 0 && saved[job] < 0 && -saved[job] >= least ? 1 : 0;
    }
    savedByPolicy.put(policy, saved);
    policies.add(
        new JobsAnswer.Policy(
            policy,
            choosable,
            gaining,
            slower,
            Arrays.stream(saved).sum(),
            fastBytes,
            more[0],
            more[1],
            more[2]));
  }

  private JobsAnswer answer(int allReads) {
    List<JobsAnswer.Gain> gains = new ArrayList<>();
    double seconds = 0;
    for (int job = 0; job < readsOfJob.length; job++) {
      if (readsOfJob[job] > 0) {
        gains.add(gain(job));
        seconds += jobs.jobs().get(job).seconds();
      }
    }
    gains.sort(
        Comparator.comparingDouble(JobsAnswer.Gain::bestSavedSeconds)
            .reversed()
            .thenComparing(JobsAnswer.Gain::id));
    return new JobsAnswer(
        gains.size(),
        Arrays.stream(readsOfJob).sum(),
        allReads,
        (long) Arrays.stream(bytesOfJob).sum(),
        seconds,
        policies,
        gains);
  }

  private JobsAnswer.Gain gain(int job) {
    ReadingJob of = jobs.jobs().get(job);
    String best = null;
    double bestSaved = 0;
    for (JobsAnswer.Policy policy : policies) {
      double saved = savedByPolicy.get(policy.policy())[job];
      if (policy.choosable()
          && saved > bestSaved
          && saved >= JobsAnswer.GAIN_SHARE_MIN * of.seconds()) {
        best = policy.policy();
        bestSaved = saved;
      }
    }
    double[] hindsight = savedByPolicy.get(ReplayAnswer.Row.text(Choice.BY_HINDSIGHT));
    return new JobsAnswer.Gain(
        of.id(),
        of.application(),
        of.seconds(),
        readsOfJob[job],
        (long) bytesOfJob[job],
        best,
        bestSaved,
        hindsight == null ? 0 : hindsight[job]);
  }
}
