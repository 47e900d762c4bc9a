package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.HistoryLog;
import io.tierwise.history.JsonLines;
import io.tierwise.history.SparkEvent;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceLimits;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * A Spark event log: one JSON event a line, in one file or in those of a rolled log. A job here is
 * a query, when Spark's jobs name one (adaptive execution runs the stages of a query as jobs of
 * their own), else a Spark job.
 *
 * <p>Its stages are those of the log ({@link SparkStages}). Its other figures are sums: stages
 * without parents count as maps, all others as reducers, of which there are as many as the widest
 * such stage has tasks, and between both go the bytes that all stages wrote for others (or, when
 * fewer, read from them).
 */
final class SparkRows implements TraceRows {
  private static final String QUERY_END =
      "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd";

  private final Path file;
  private final List<HistoryFile> parts;
  private final SparkEvent event = new SparkEvent();

  /** By query or job; in order of submission; a query may get more jobs until it ends. */
  private final Map<String, OpenJob> open = new HashMap<>();

  private final Queue<OpenJob> inOrder = new ArrayDeque<>();
  private final Map<Long, OpenJob> byJob = new HashMap<>();
  private final Map<Long, Stage> stages = new HashMap<>();
  private String application = "";
  private String applicationId = "";
  private int part;
  private JsonLines lines;
  private boolean atEnd;

  private record Stage(OpenJob job, SparkStage sums) {}

  private static final class OpenJob {
    private final String key;
    private final String name;
    private final long submitMillis;
    private final JobFigures figures = new JobFigures();
    private final List<Long> jobIds = new ArrayList<>();
    private final List<SparkStage> stages = new ArrayList<>();
    private boolean worked;
    private boolean ended;

    OpenJob(String key, String name, long submitMillis) {
      this.key = key;
      this.name = name;
      this.submitMillis = submitMillis;
    }
  }

  private SparkRows(Path file, List<HistoryFile> parts) throws IOException {
    this.file = file;
    this.parts = parts;
    lines = new JsonLines(parts.get(0));
  }

  /** Opens a file, or the folder of a rolled log. */
  static SparkRows open(Path file) throws IOException {
    if (!Files.isDirectory(file)) {
      return new SparkRows(file, List.of(HistoryFile.of(file)));
    }
    try (Stream<Path> files = Files.list(file)) {
      List<HistoryFile> all = files.map(HistoryFile::of).toList();
      return new SparkRows(file, HistoryLog.rolled(file.toString(), all).wholeParts());
    } catch (AccessDeniedException e) {
      throw new TraceException(file + ": may not be looked into", e);
    }
  }

  @Override
  public TraceRow next() throws IOException {
    while (true) {
      OpenJob first = inOrder.peek();
      if (first != null && (first.ended || atEnd)) {
        inOrder.remove();
        forget(first);
        if (!first.ended) {
          throw new BadRowException(
              file
                  + ": ends before "
                  + TraceException.quoted(first.name)
                  + " does, the file is cut off or the application still runs");
        }
        if (first.worked) {
          return row(first);
        }
      } else if (atEnd) {
        return null;
      } else {
        readEvent();
      }
    }
  }

  private TraceRow row(OpenJob job) throws BadRowException {
    JobFigures figures = job.figures;
    if (figures.mapOutputBytes < figures.shuffleReadBytes) {
      figures.mapOutputBytes = 0;
      figures.addMapOutput(figures.shuffleReadBytes);
    }
    if (figures.mapCount == 0) {
      // All stages read what an earlier job left in the shuffle: as many tasks put it out.
      figures.mapCount = figures.reduceCount;
    }
    String name = applicationId.isEmpty() ? job.name : applicationId + "-" + job.name;
    JobSpec sums = figures.job(file.toString(), name, application);
    return new TraceRow(job.submitMillis, sums.withStages(SparkStages.of(name, job.stages)));
  }

  private void forget(OpenJob job) {
    open.remove(job.key);
    job.jobIds.forEach(byJob::remove);
    for (SparkStage stage : job.stages) {
      Stage known = stages.get(stage.info.id());
      if (known != null && known.job == job) {
        stages.remove(stage.info.id());
      }
    }
  }

  private void readEvent() throws IOException {
    event.clear();
    while (!lines.next(field -> event.read(field, lines))) {
      if (part + 1 == parts.size()) {
        atEnd = true;
        return;
      }
      lines.close();
      part++;
      lines = new JsonLines(parts.get(part));
      event.clear();
    }
    switch (event.type) {
      case "SparkListenerLogStart" -> {
        // Says which version of Spark wrote the log: the events read here are the same in all.
      }
      case "SparkListenerApplicationStart" -> {
        application = event.applicationName;
        applicationId = event.applicationId;
      }
      case "SparkListenerJobStart" -> startJob();
      case "SparkListenerTaskEnd" -> addTask();
      case "SparkListenerJobEnd" -> endJob();
      case QUERY_END -> end(open.get("query-" + event.executionId));
      case "" -> throw new BadRowException(lines.where() + ": has no Event, is no Spark event");
      default -> {
        // Other events say nothing about bytes.
      }
    }
  }

  private void startJob() throws TraceException {
    if (event.submitMillis <= 0) {
      throw new BadRowException(lines.where() + ": job start without Submission Time");
    }
    boolean query = !event.queryOfJob.isEmpty();
    String key = query ? "query-" + event.queryOfJob : "job-" + event.jobId;
    OpenJob job = open.get(key);
    if (job == null) {
      job = new OpenJob(key, key, event.submitMillis);
      open.put(key, job);
      inOrder.add(job);
    }
    job.jobIds.add(event.jobId);
    byJob.put(event.jobId, job);
    for (SparkEvent.StageInfo info : event.stages) {
      Stage known = stages.get(info.id());
      if (known == null || known.job != job) {
        SparkStage sums = new SparkStage(info);
        stages.put(info.id(), new Stage(job, sums));
        job.stages.add(sums);
      }
    }
    if (byJob.size() > TraceLimits.OPEN_MAX || stages.size() > TraceLimits.OPEN_MAX) {
      throw new TraceException(
          lines.where() + ": more than " + TraceLimits.OPEN_MAX + " jobs or stages have no end");
    }
  }

  private void addTask() {
    Stage stage = stages.get(event.stageId);
    if (stage == null || !event.success) {
      return;
    }
    event.leaveOutKept();
    boolean map = !stage.sums.info.hasParents();
    JobFigures figures = stage.job.figures;
    if (!stage.sums.ran) {
      stage.job.worked = true;
      long tasks = stage.sums.info.taskCount();
      if (map) {
        figures.mapCount += tasks;
      } else {
        figures.reduceCount = Math.max(figures.reduceCount, tasks);
      }
    }
    stage.sums.add(event);
    figures.addInput(event.inputBytes);
    figures.addOutput(event.outputBytes);
    figures.addMapOutput(event.shuffleWriteBytes);
    figures.addShuffleRead(event.shuffleReadBytes);
    figures.addCpuNanos(map, event.cpuNanos);
  }

  private void endJob() {
    OpenJob job = byJob.remove(event.jobId);
    if (job != null && job.key.startsWith("job-")) {
      end(job);
    }
  }

  private static void end(OpenJob job) {
    if (job != null) {
      job.ended = true;
    }
  }

  @Override
  public String where() {
    return lines.where();
  }

  @Override
  public double progress() {
    return (part + lines.progress()) / parts.size();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
