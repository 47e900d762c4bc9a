package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationReport;

/** Runs the application once, and says what it did by its jobs' history. */
final class ConfigurationRun {
  private static final String MAPREDUCE = "MAPREDUCE";
  private static final String SPARK = "SPARK";

  private final ProfilingWish wish;
  private final IntermediateNodes nodes;
  private final TaggedApplications applications;
  private final ClientFolder folder;
  private final SparkClient spark;
  private final JobHistoryFiles history;
  private final StopSign stop;

  /** Beside the name of a run it tells it from those of other profilings. */
  private final String mark;

  /**
   * The outcome of a run.
   *
   * @param seconds from the command's start until it, and all that it started on YARN, was over
   * @param failure why it did not do all that it should; null when it did
   * @param jobs that have a history: MapReduce's jobs, Spark's applications
   */
  record Ran(double seconds, String failure, List<RunRecord> jobs) {}

  ConfigurationRun(
      Configuration conf,
      ProfilingWish wish,
      IntermediateNodes nodes,
      TaggedApplications applications,
      ClientFolder folder,
      SparkClient spark,
      String mark,
      StopSign stop) {
    this.wish = wish;
    this.nodes = nodes;
    this.applications = applications;
    this.folder = folder;
    this.spark = spark;
    this.mark = mark;
    this.stop = stop;
    history = new JobHistoryFiles(conf);
  }

  /**
   * Runs it.
   *
   * @param name of the run
   * @param tier of its intermediate data
   * @param printed takes what it prints
   * @param report is told why the run may not be what it is taken for
   * @throws StopSign.Stopped when it was stopped: it and what it started have ended, or will soon
   */
  Ran run(String name, String tier, Consumer<String> printed, ProfilingReport.Builder report)
      throws IOException {
    String tag = (OwnFolders.MARK + mark + "-" + name).toLowerCase(Locale.ROOT);
    ContainerCounts before = nodes.counts(tier);
    boolean over = false;
    int exitCode;
    List<ApplicationReport> ran;
    Map<String, String> environment = new HashMap<>(folder.environment(tier, tag));
    environment.putAll(spark.environment(tier, tag));
    long begin = System.nanoTime();
    try {
      exitCode = ApplicationProcess.run(wish.words(name, tier, tag), environment, printed, stop);
      ran = applications.awaitEnd(tag, stop);
      over = true;
    } finally {
      if (!over) {
        applications.kill(tag);
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    String failure = failure(exitCode, ran);
    EventLogs.Found logs = spark.found(tag, failure == null, stop);
    logs.problems().forEach(problem -> report.doubt(name + ": " + problem));
    if (!ran.isEmpty()) {
      for (String doubt : nodes.counts(tier).doubts(before, tier)) {
        report.doubt(name + ": " + doubt);
      }
    } else if (logs.runs().isEmpty()) {
      report.doubt(
          name
              + ": nothing that it ran on YARN bears its tag, so that neither its bytes nor the"
              + " place of its intermediate data are known; a command that sets tags of its own has"
              + " to include "
              + ProfilingWish.TAG);
    }
    List<RunRecord> jobs = new ArrayList<>(jobs(name, ran, report));
    jobs.addAll(sparkRuns(name, ran, logs, report));
    return new Ran(seconds, failure, jobs);
  }

  private static String failure(int exitCode, List<ApplicationReport> ran) {
    if (exitCode != 0) {
      return "exit code " + exitCode;
    }
    for (ApplicationReport report : ran) {
      if (!TaggedApplications.succeeded(report)) {
        return report.getApplicationId() + " " + report.getFinalApplicationStatus();
      }
    }
    return null;
  }

  private List<RunRecord> jobs(
      String name, List<ApplicationReport> ran, ProfilingReport.Builder report) throws IOException {
    List<RunRecord> jobs = new ArrayList<>();
    for (ApplicationReport each : ran) {
      if (each.getApplicationType().equals(SPARK)) {
        continue;
      }
      if (!each.getApplicationType().equals(MAPREDUCE)) {
        report.remark(
            name
                + ": of "
                + each.getApplicationId()
                + " only the time is known, for what "
                + each.getApplicationType()
                + " writes down is not read here");
        continue;
      }
      RunRecord job = history.await(each.getApplicationId(), stop);
      if (job == null) {
        report.doubt(
            name
                + ": "
                + each.getApplicationId()
                + " left no job history within a minute, so that its bytes are not known");
      } else {
        jobs.add(job);
      }
    }
    return jobs;
  }

  /** What Spark wrote down, beside what YARN knows of. */
  private static List<RunRecord> sparkRuns(
      String name,
      List<ApplicationReport> ran,
      EventLogs.Found logs,
      ProfilingReport.Builder report) {
    for (ApplicationReport each : ran) {
      if (each.getApplicationType().equals(SPARK)
          && logs.runs().stream().noneMatch(log -> isOf(each, log))) {
        report.doubt(
            name
                + ": "
                + each.getApplicationId()
                + " left no event log where it is looked for, so that its bytes are not known; its"
                + " command has to leave "
                + SparkClient.LOG_ENABLED
                + " and "
                + SparkClient.LOG_FOLDER
                + " to profile run");
      }
    }
    for (RunRecord log : logs.runs()) {
      if (ran.stream().noneMatch(each -> isOf(each, log))) {
        report.doubt(
            name
                + ": where "
                + log.id()
                + " put its intermediate data is not known, since YARN has nothing of that id that"
                + " bears the run's tag: without YARN spark.local.dir decides, and on it"
                + " spark.yarn.tags has to include "
                + ProfilingWish.TAG);
      }
    }
    return logs.runs();
  }

  /** A log has the number of the attempt behind the application's id. */
  private static boolean isOf(ApplicationReport application, RunRecord log) {
    String id = application.getApplicationId().toString();
    return log.id().equals(id) || log.id().startsWith(id + "_");
  }
}
