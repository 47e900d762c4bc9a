package io.tierwise.simulator.workload.trace;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A MapReduce job history file ({@code .jhist}) in Avro's JSON encoding: {@code Avro-Json}, the
 * schema, then one event a line. One file is one job, made of its finished tasks' counters, so that
 * a failed job counts with what it did.
 *
 * <p>Deviation: the job's own totals are not used: files of jobs that failed have none.
 */
final class JobHistoryRows implements TraceRows {
  private static final String MAGIC = "Avro-Json";
  private static final String BINARY_MAGIC = "Avro-Binary";

  private final JsonLines lines;
  private final Path file;
  private boolean done;

  private final JobFigures figures = new JobFigures();
  private String jobId = "";
  private String jobName = "";
  private long submitMillis;
  private boolean ended;
  private long mapOutputBytes;
  private long materializedBytes;
  private long shuffledBytes;

  // The task event being read.
  private boolean map;
  private Counters counters = new Counters();
  private String counterName = "";
  private long counterValue;

  private static final class Counters {
    private long readBytes;
    private long writtenBytes;
    private long mapOutputBytes;
    private long materializedBytes;
    private long shuffledBytes;
    private long cpuMillis;
  }

  private JobHistoryRows(Path file) throws IOException {
    this.file = file;
    lines = new JsonLines(file);
  }

  static JobHistoryRows open(Path file) throws IOException {
    return new JobHistoryRows(file);
  }

  @Override
  public TraceRow next() throws IOException {
    if (done) {
      return null;
    }
    done = true;
    readHeader();
    while (lines.next(this::readEventField)) {
      // Each event adds to the figures.
    }
    if (jobId.isEmpty() || submitMillis == 0) {
      throw new BadRowException(file + ": has no JobSubmitted event with a submitTime");
    }
    if (!ended) {
      throw new BadRowException(
          lines.where()
              + ": ends before job "
              + TraceException.quoted(jobId)
              + " does, the file is cut off or the job still runs");
    }
    figures.addMapOutput(figures.reduceCount == 0 ? 0 : crossed());
    return new TraceRow(submitMillis, figures.job(file.toString(), jobId, jobName));
  }

  /**
   * Own: what reducers fetched; when none says so, what maps made ready for them; else what they
   * put out.
   */
  private long crossed() {
    if (shuffledBytes > 0) {
      return shuffledBytes;
    }
    return materializedBytes > 0 ? materializedBytes : mapOutputBytes;
  }

  private void readHeader() throws IOException {
    String magic = lines.nextText();
    if (BINARY_MAGIC.equals(magic)) {
      throw new BadRowException(
          file
              + ": is a job history file in Avro's binary encoding; set"
              + " mapreduce.jobhistory.jhist.format to json to have new ones in JSON, or turn this"
              + " cluster's into a Rumen trace");
    }
    if (!MAGIC.equals(magic)) {
      throw new BadRowException(
          lines.where()
              + ": is "
              + (magic == null ? "missing" : TraceException.quoted(magic))
              + ", a job history file starts with "
              + MAGIC);
    }
    if (!lines.skip()) {
      throw new BadRowException(file + ": ends after its first line, the file is cut off");
    }
  }

  private void readEventField(String field) throws IOException {
    if (field.equals("event")) {
      lines.eachField(this::readEvent);
    }
  }

  private void readEvent(String type) throws IOException {
    switch (type.substring(type.lastIndexOf('.') + 1)) {
      case "JobSubmitted" -> lines.eachField(this::readSubmitted);
      case "JobInited" -> lines.eachField(this::readInited);
      case "JobFinished", "JobUnsuccessfulCompletion" -> ended = true;
      case "TaskFinished" -> {
        map = false;
        counters = new Counters();
        lines.eachField(this::readTask);
        addTask();
      }
      default -> {
        // Other events say nothing about bytes.
      }
    }
  }

  private void readSubmitted(String field) throws IOException {
    switch (field) {
      case "jobid" -> jobId = lines.text();
      case "jobName" -> jobName = lines.text();
      case "submitTime" -> submitMillis = lines.number(field, TraceLimits.SUBMIT_MILLIS_MAX);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readInited(String field) throws IOException {
    switch (field) {
      case "totalMaps" -> figures.mapCount = lines.number(field, TraceLimits.TASKS_MAX);
      case "totalReduces" -> figures.reduceCount = lines.number(field, TraceLimits.TASKS_MAX);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readTask(String field) throws IOException {
    switch (field) {
      case "taskType" -> map = lines.text().equals("MAP");
      case "counters" -> lines.eachField(this::readCounters);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readCounters(String field) throws IOException {
    if (field.equals("groups")) {
      lines.eachElement(ignored -> lines.eachField(this::readGroup));
    }
  }

  private void readGroup(String field) throws IOException {
    if (field.equals("counts")) {
      lines.eachElement(
          ignored -> {
            counterName = "";
            counterValue = 0;
            lines.eachField(this::readCounter);
            addCounter();
          });
    }
  }

  private void readCounter(String field) throws IOException {
    if (field.equals("name")) {
      counterName = lines.text();
    } else if (field.equals("value") && Counter.of(counterName) != Counter.OTHER) {
      counterValue = lines.number(counterName, TraceLimits.CPU_MILLIS_MAX * 1_000_000);
    }
  }

  /** Counters that matter; {@code value} follows {@code name} in every file that Avro writes. */
  private enum Counter {
    HDFS_BYTES_READ,
    HDFS_BYTES_WRITTEN,
    MAP_OUTPUT_BYTES,
    MAP_OUTPUT_MATERIALIZED_BYTES,
    REDUCE_SHUFFLE_BYTES,
    CPU_MILLISECONDS,
    OTHER;

    static Counter of(String name) {
      return switch (name) {
        case "HDFS_BYTES_READ" -> HDFS_BYTES_READ;
        case "HDFS_BYTES_WRITTEN" -> HDFS_BYTES_WRITTEN;
        case "MAP_OUTPUT_BYTES" -> MAP_OUTPUT_BYTES;
        case "MAP_OUTPUT_MATERIALIZED_BYTES" -> MAP_OUTPUT_MATERIALIZED_BYTES;
        case "REDUCE_SHUFFLE_BYTES" -> REDUCE_SHUFFLE_BYTES;
        case "CPU_MILLISECONDS" -> CPU_MILLISECONDS;
        default -> OTHER;
      };
    }
  }

  private void addCounter() {
    switch (Counter.of(counterName)) {
      case HDFS_BYTES_READ -> counters.readBytes = counterValue;
      case HDFS_BYTES_WRITTEN -> counters.writtenBytes = counterValue;
      case MAP_OUTPUT_BYTES -> counters.mapOutputBytes = counterValue;
      case MAP_OUTPUT_MATERIALIZED_BYTES -> counters.materializedBytes = counterValue;
      case REDUCE_SHUFFLE_BYTES -> counters.shuffledBytes = counterValue;
      case CPU_MILLISECONDS ->
          counters.cpuMillis = Math.min(counterValue, TraceLimits.CPU_MILLIS_MAX);
      case OTHER -> {
        // Says nothing about bytes.
      }
    }
  }

  private void addTask() {
    if (map) {
      figures.addInput(counters.readBytes);
      mapOutputBytes = sum(mapOutputBytes, counters.mapOutputBytes);
      materializedBytes = sum(materializedBytes, counters.materializedBytes);
    } else {
      shuffledBytes = sum(shuffledBytes, counters.shuffledBytes);
    }
    figures.addOutput(counters.writtenBytes);
    figures.addCpuNanos(map, counters.cpuMillis * 1_000_000);
  }

  private static long sum(long a, long b) {
    return Math.min(a + b, Long.MAX_VALUE / 4);
  }

  @Override
  public String where() {
    return file.toString();
  }

  @Override
  public double progress() {
    return lines.progress();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
