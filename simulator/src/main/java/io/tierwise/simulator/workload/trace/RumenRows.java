package io.tierwise.simulator.workload.trace;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tierwise.history.BadRowException;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.Json;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceFile;
import io.tierwise.history.TraceLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/**
 * A Rumen job trace: one JSON object a job, one after the other, with all its tasks and their
 * attempts. Figures are those of each task's last successful attempt.
 *
 * <p>Own: what crosses to the reducers is what reducers say they fetched ({@code
 * reduceShuffleBytes}); only when none says so, what maps put out ({@code mapOutputBytes}), which
 * is before combining and compression.
 */
final class RumenRows implements TraceRows {
  private static final Set<String> SUCCESS = Set.of("SUCCESS", "SUCCEEDED");

  private final TraceFile trace;
  private final JsonParser parser;

  /** First line of the job read last. */
  private long line;

  // The job being read.
  private JobFigures figures;
  private String jobId;
  private String jobName;
  private long submitMillis;
  private long mapOutputBytes;
  private long shuffleBytes;
  private BadRowException firstProblem;

  // The attempt being read, and the last successful one of its task.
  private Attempt attempt;
  private Attempt succeeded;

  private static final class Attempt {
    private boolean success;
    private long readBytes;
    private long writtenBytes;
    private long mapOutputBytes;
    private long shuffleBytes;
    private long cpuMillis;
  }

  private RumenRows(TraceFile trace, JsonParser parser) {
    this.trace = trace;
    this.parser = parser;
  }

  static RumenRows open(Path file) throws IOException {
    TraceFile trace = TraceFile.open(HistoryFile.of(file));
    return new RumenRows(trace, Json.parser(trace));
  }

  @Override
  public TraceRow next() throws IOException {
    try {
      JsonToken token = parser.nextToken();
      line = parser.currentTokenLocation().getLineNr();
      if (token == null) {
        return null;
      }
      if (token != JsonToken.START_OBJECT) {
        throw new TraceException(where() + ": is no Rumen trace, must be JSON objects");
      }
      readJob();
    } catch (JsonProcessingException e) {
      // The end of damaged JSON cannot be found: this ends the trace, also where bad rows are
      // skipped.
      long at = parser.currentLocation().getLineNr();
      throw new TraceException(trace.file() + ":" + at + ": " + Json.reason(e), e);
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceException(where() + ": " + TraceFile.reason(e), e);
    }
    return row();
  }

  private TraceRow row() throws BadRowException {
    if (firstProblem != null) {
      throw firstProblem;
    }
    if (jobId.isEmpty()) {
      throw new BadRowException(where() + ": job has no jobID; is this a Rumen trace?");
    }
    if (submitMillis == 0) {
      throw new BadRowException(
          where() + ": job " + TraceException.quoted(jobId) + " has no submitTime");
    }
    figures.addMapOutput(figures.reduceCount == 0 ? 0 : shuffled());
    return new TraceRow(submitMillis, figures.job(where(), jobId, jobName));
  }

  private long shuffled() {
    return shuffleBytes > 0 ? shuffleBytes : mapOutputBytes;
  }

  private void readJob() throws IOException {
    figures = new JobFigures();
    jobId = "";
    jobName = "";
    submitMillis = 0;
    mapOutputBytes = 0;
    shuffleBytes = 0;
    firstProblem = null;
    Json.eachField(parser, where(), this::readJobField);
  }

  private void readJobField(String field) throws IOException {
    switch (field) {
      case "jobID" -> jobId = Json.text(parser);
      case "jobName" -> jobName = Json.text(parser);
      case "submitTime" -> submitMillis = number(field, TraceLimits.SUBMIT_MILLIS_MAX);
      case "totalMaps" -> figures.mapCount = number(field, TraceLimits.TASKS_MAX);
      case "totalReduces" -> figures.reduceCount = number(field, TraceLimits.TASKS_MAX);
      case "mapTasks" -> readTasks(field, true);
      case "reduceTasks" -> readTasks(field, false);
      default -> {
        // Everything else is left to the caller, which skips it.
      }
    }
  }

  private void readTasks(String field, boolean map) throws IOException {
    if (!requireToken(field, JsonToken.START_ARRAY)) {
      return;
    }
    Json.eachElement(
        parser,
        where(),
        ignored -> {
          if (requireToken(field, JsonToken.START_OBJECT)) {
            succeeded = null;
            Json.eachField(parser, where(), this::readTaskField);
            addTask(map);
          }
        });
  }

  private void readTaskField(String field) throws IOException {
    if (!field.equals("attempts") || !requireToken(field, JsonToken.START_ARRAY)) {
      return;
    }
    Json.eachElement(
        parser,
        where(),
        ignored -> {
          if (requireToken(field, JsonToken.START_OBJECT)) {
            attempt = new Attempt();
            Json.eachField(parser, where(), this::readAttemptField);
            succeeded = attempt.success ? attempt : succeeded;
          }
        });
  }

  private void readAttemptField(String field) throws IOException {
    switch (field) {
      case "result" -> attempt.success = SUCCESS.contains(Json.text(parser));
      case "hdfsBytesRead" -> attempt.readBytes = number(field, TraceLimits.BYTES_MAX);
      case "hdfsBytesWritten" -> attempt.writtenBytes = number(field, TraceLimits.BYTES_MAX);
      case "mapOutputBytes" -> attempt.mapOutputBytes = number(field, TraceLimits.BYTES_MAX);
      case "reduceShuffleBytes" -> attempt.shuffleBytes = number(field, TraceLimits.BYTES_MAX);
      case "resourceUsageMetrics" -> {
        if (requireToken(field, JsonToken.START_OBJECT)) {
          Json.eachField(parser, where(), this::readUsageField);
        }
      }
      default -> {
        // Everything else is left to the caller, which skips it.
      }
    }
  }

  private void readUsageField(String field) throws IOException {
    if (field.equals("cumulativeCpuUsage")) {
      attempt.cpuMillis = number(field, TraceLimits.CPU_MILLIS_MAX);
    }
  }

  private void addTask(boolean map) {
    if (succeeded == null) {
      return;
    }
    if (map) {
      figures.addInput(succeeded.readBytes);
      mapOutputBytes = Math.min(mapOutputBytes + succeeded.mapOutputBytes, Long.MAX_VALUE / 4);
    } else {
      shuffleBytes = Math.min(shuffleBytes + succeeded.shuffleBytes, Long.MAX_VALUE / 4);
    }
    figures.addOutput(succeeded.writtenBytes);
    figures.addCpuNanos(map, succeeded.cpuMillis * 1_000_000);
  }

  /** A figure; a bad one is remembered, so that the rest of the job is read past. */
  private long number(String field, long max) throws IOException {
    try {
      return Json.number(parser, where(), field, max);
    } catch (BadRowException e) {
      remember(e);
      return 0;
    }
  }

  private boolean requireToken(String field, JsonToken expected) {
    JsonToken token = parser.currentToken();
    if (token != expected && token != JsonToken.VALUE_NULL) {
      String kind = expected == JsonToken.START_ARRAY ? "array" : "object";
      remember(new BadRowException(where() + ": " + field + " is no JSON " + kind));
    }
    return token == expected;
  }

  private void remember(BadRowException problem) {
    if (firstProblem == null) {
      firstProblem = problem;
    }
  }

  @Override
  public String where() {
    return trace.file() + ":" + line;
  }

  @Override
  public double progress() {
    return trace.progress();
  }

  @Override
  public void close() throws IOException {
    parser.close();
    trace.close();
  }
}
