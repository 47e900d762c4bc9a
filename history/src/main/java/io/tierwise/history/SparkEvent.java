package io.tierwise.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One event of a Spark event log: the fields that say when and where jobs run and how much they
 * move.
 */
public final class SparkEvent {
  /**
   * A stage as a job's start announces it.
   *
   * @param rdd the newest of the data sets that it computes: two stages with the same one are the
   *     same, of which the later one was skipped; negative when none is named
   * @param parents stages that write what it reads
   */
  public record StageInfo(long id, long taskCount, long rdd, List<Long> parents) {
    public StageInfo {
      parents = List.copyOf(parents);
    }

    /** Whether it reads what other stages wrote for it. */
    public boolean hasParents() {
      return !parents.isEmpty();
    }
  }

  public String type = "";
  public String applicationName = "";
  public String applicationId = "";
  public long jobId;
  public long submitMillis;
  public String queryOfJob = "";
  public final List<StageInfo> stages = new ArrayList<>();
  public long executionId;
  public long stageId;
  public boolean success;
  public long inputBytes;
  public long outputBytes;
  public long shuffleReadBytes;
  public long shuffleWriteBytes;
  public long cpuNanos;

  // What only profiles ask for.
  String attemptId = "";
  long timeMillis;
  long exitCode;
  boolean jobFailed;
  String host = "";
  long launchMillis;
  long finishMillis;
  long spilledBytes;

  /** Of all events until now. */
  final InputPaths inputs = new InputPaths();

  private final KeptData kept = new KeptData();
  private long part;

  // The stage being read.
  private long infoId;
  private long infoTaskCount;
  private long infoRdd;
  private final List<Long> infoParents = new ArrayList<>();
  private final List<Long> infoKept = new ArrayList<>();

  // The data set of it being read.
  private long dataId;
  private boolean dataKept;

  /** Forgets the event before. */
  public void clear() {
    type = "";
    applicationName = "";
    applicationId = "";
    jobId = -1;
    submitMillis = 0;
    queryOfJob = "";
    stages.clear();
    executionId = -1;
    stageId = -1;
    success = false;
    inputBytes = 0;
    outputBytes = 0;
    shuffleReadBytes = 0;
    shuffleWriteBytes = 0;
    cpuNanos = 0;
    attemptId = "";
    timeMillis = 0;
    exitCode = 0;
    jobFailed = false;
    host = "";
    launchMillis = 0;
    finishMillis = 0;
    spilledBytes = 0;
    part = 0;
  }

  /**
   * Leaves out of a task's input what it took of data that the application keeps, which Spark
   * counts as bytes read. To be called once for each task that ended well.
   */
  public void leaveOutKept() {
    if (kept.take(stageId, part)) {
      inputBytes = 0;
    }
  }

  /** Reads a field of the event. */
  public void read(String field, JsonLines in) throws IOException {
    switch (field) {
      case "Event" -> type = in.text();
      case "App Name" -> applicationName = in.text();
      case "App ID" -> applicationId = in.text();
      case "Job ID" -> jobId = in.number(field, Integer.MAX_VALUE);
      case "Submission Time" -> submitMillis = in.number(field, TraceLimits.SUBMIT_MILLIS_MAX);
      case "Stage Infos" -> in.eachElement(ignored -> readStage(in));
      case "sparkPlanInfo" -> in.eachField(node -> readPlan(node, in));
      case "Properties" -> in.eachField(property -> readProperty(property, in));
      case "executionId" -> executionId = in.number(field, Long.MAX_VALUE);
      case "Stage ID" -> stageId = in.number(field, Integer.MAX_VALUE);
      case "Task End Reason" ->
          in.eachField(
              reason -> success = reason.equals("Reason") ? in.text().equals("Success") : success);
      case "App Attempt ID" -> attemptId = in.text();
      case "Timestamp" -> timeMillis = in.number(field, TraceLimits.SUBMIT_MILLIS_MAX);
      case "ExitCode" -> exitCode = in.number(field, Integer.MAX_VALUE);
      case "Job Result" ->
          in.eachField(
              result -> jobFailed |= result.equals("Result") && !in.text().equals("JobSucceeded"));
      case "Task Info" -> in.eachField(info -> readTaskInfo(info, in));
      case "Task Metrics" -> in.eachField(metric -> readMetric(metric, in));
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readTaskInfo(String info, JsonLines in) throws IOException {
    switch (info) {
      case "Host" -> host = in.text();
      // Spark before 3.3 has the index alone, which is the same where a stage computes all parts.
      case "Index", "Partition ID" -> part = in.number(info, TraceLimits.TASKS_MAX);
      case "Launch Time" -> launchMillis = in.number(info, TraceLimits.SUBMIT_MILLIS_MAX);
      case "Finish Time" -> finishMillis = in.number(info, TraceLimits.SUBMIT_MILLIS_MAX);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readPlan(String field, JsonLines in) throws IOException {
    switch (field) {
      case "children" -> in.eachElement(ignored -> in.eachField(child -> readPlan(child, in)));
      case "metadata" ->
          in.eachField(
              key -> {
                if (key.equals("Location")) {
                  inputs.addLocation(in.text());
                }
              });
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readProperty(String property, JsonLines in) throws IOException {
    if (property.equals("spark.sql.execution.id")) {
      queryOfJob = in.text();
    }
  }

  private void readStage(JsonLines in) throws IOException {
    infoId = -1;
    infoTaskCount = 0;
    infoRdd = -1;
    infoParents.clear();
    infoKept.clear();
    in.eachField(field -> readStageField(field, in));
    kept.stage(infoId, infoKept);
    stages.add(new StageInfo(infoId, infoTaskCount, infoRdd, infoParents));
    if (stages.size() > TraceLimits.OPEN_MAX) {
      throw new BadRowException(
          in.where() + ": job with more than " + TraceLimits.OPEN_MAX + " stages");
    }
  }

  private void readStageField(String field, JsonLines in) throws IOException {
    switch (field) {
      case "Stage ID" -> infoId = in.number(field, Integer.MAX_VALUE);
      case "Number of Tasks" -> infoTaskCount = in.number(field, TraceLimits.TASKS_MAX);
      case "RDD Info" -> in.eachElement(ignored -> readData(in));
      case "Parent IDs" -> in.eachElement(ignored -> readParent(field, in));
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readParent(String field, JsonLines in) throws IOException {
    infoParents.add(in.number(field, Integer.MAX_VALUE));
    if (infoParents.size() > TraceLimits.OPEN_MAX) {
      throw new BadRowException(
          in.where() + ": stage with more than " + TraceLimits.OPEN_MAX + " parents");
    }
  }

  private void readData(JsonLines in) throws IOException {
    dataId = -1;
    dataKept = false;
    in.eachField(field -> readDataField(field, in));
    infoRdd = Math.max(infoRdd, dataId);
    if (dataKept && dataId >= 0 && infoKept.size() < TraceLimits.OPEN_MAX) {
      infoKept.add(dataId);
    }
  }

  private void readDataField(String field, JsonLines in) throws IOException {
    switch (field) {
      case "Name" -> inputs.addIfPath(in.text());
      case "RDD ID" -> dataId = in.number(field, Integer.MAX_VALUE);
      case "Storage Level" ->
          in.eachField(
              level ->
                  dataKept |=
                      (level.equals("Use Disk") || level.equals("Use Memory")) && in.flag());
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readMetric(String metric, JsonLines in) throws IOException {
    switch (metric) {
      case "Disk Bytes Spilled" -> spilledBytes = in.number(metric, TraceLimits.BYTES_MAX);
      case "Executor CPU Time" -> cpuNanos = in.number(metric, TraceLimits.BYTES_MAX);
      case "Input Metrics", "Output Metrics", "Shuffle Read Metrics", "Shuffle Write Metrics" ->
          in.eachField(field -> readBytes(metric, field, in));
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readBytes(String metric, String field, JsonLines in) throws IOException {
    switch (field) {
      case "Bytes Read" -> inputBytes = in.number(field, TraceLimits.BYTES_MAX);
      case "Bytes Written" -> outputBytes = in.number(field, TraceLimits.BYTES_MAX);
      case "Shuffle Bytes Written" -> shuffleWriteBytes = in.number(field, TraceLimits.BYTES_MAX);
      case "Remote Bytes Read", "Local Bytes Read" ->
          shuffleReadBytes += in.number(metric + ", " + field, TraceLimits.BYTES_MAX);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }
}
