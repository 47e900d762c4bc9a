package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.JsonLines;
import io.tierwise.history.Position;
import io.tierwise.history.SparkEvent;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * A Spark event log: one JSON event a line. A job here is a query, when Spark's jobs name one
 * (adaptive execution runs the stages of a query as jobs of their own), else a Spark job.
 *
 * <p>Deviation: stages without parents become maps, all others reducers, of which there are as many
 * as the widest such stage has tasks: the model has one shuffle. The shuffle carries the bytes that
 * all stages wrote for others (or, when fewer, read from them), so that the sum is right.
 */
final class SparkRows extends Position.OfBelow implements TraceRows {
  private static final String QUERY_END =
      "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd";

  private final Path file;
  private final JsonLines lines;
  private final SparkEvent event = new SparkEvent();

  /** By query or job; in order of submission; a query may get more jobs until it ends. */
  private final Map<String, OpenJob> open = new HashMap<>();

  private final Queue<OpenJob> inOrder = new ArrayDeque<>();
  private final Map<Long, OpenJob> byJob = new HashMap<>();
  private final Map<Long, Stage> stages = new HashMap<>();
  private String application = "";
  private String applicationId = "";
  private boolean atEnd;

  private static final class Stage {
    private final OpenJob job;
    private final SparkEvent.StageInfo info;

    /** Whether its tasks were counted: only stages that ran are. */
    private boolean ran;

    Stage(OpenJob job, SparkEvent.StageInfo info) {
      this.job = job;
      this.info = info;
    }
  }

  private static final class OpenJob {
    private final String key;
    private final String name;
    private final long submitMillis;
    private final JobFigures figures = new JobFigures();
    private final List<Long> jobIds = new ArrayList<>();
    private final List<Long> stageIds = new ArrayList<>();
    private long shuffleReadBytes;
    private boolean worked;
    private boolean ended;

    OpenJob(String key, String name, long submitMillis) {
      this.key = key;
      this.name = name;
      this.submitMillis = submitMillis;
    }
  }

  private SparkRows(Path file, JsonLines lines) {
    super(lines);
    this.file = file;
    this.lines = lines;
  }

  static SparkRows open(Path file) throws IOException {
    return new SparkRows(file, new JsonLines(HistoryFile.of(file)));
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
    if (figures.mapOutputBytes < job.shuffleReadBytes) {
      figures.mapOutputBytes = 0;
      figures.addMapOutput(job.shuffleReadBytes);
    }
    if (figures.mapCount == 0) {
      // All stages read what an earlier job left in the shuffle: as many tasks put it out.
      figures.mapCount = figures.reduceCount;
    }
    String name = applicationId.isEmpty() ? job.name : applicationId + "-" + job.name;
    return new TraceRow(job.submitMillis, figures.job(file.toString(), name, application));
  }

  private void forget(OpenJob job) {
    open.remove(job.key);
    job.jobIds.forEach(byJob::remove);
    for (Long id : job.stageIds) {
      Stage stage = stages.get(id);
      if (stage != null && stage.job == job) {
        stages.remove(id);
      }
    }
  }

  private void readEvent() throws IOException {
    event.clear();
    if (!lines.next(field -> event.read(field, lines))) {
      atEnd = true;
      return;
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
        stages.put(info.id(), new Stage(job, info));
        job.stageIds.add(info.id());
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
    boolean map = !stage.info.hasParents();
    JobFigures figures = stage.job.figures;
    if (!stage.ran) {
      stage.ran = true;
      stage.job.worked = true;
      if (map) {
        figures.mapCount += stage.info.taskCount();
      } else {
        figures.reduceCount = Math.max(figures.reduceCount, stage.info.taskCount());
      }
    }
    figures.addInput(event.inputBytes);
    figures.addOutput(event.outputBytes);
    figures.addMapOutput(event.shuffleWriteBytes);
    stage.job.shuffleReadBytes =
        Math.min(stage.job.shuffleReadBytes + event.shuffleReadBytes, Long.MAX_VALUE / 4);
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
}
