package io.tierwise.simulator.workload.trace;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A MapReduce job history file ({@code .jhist}): {@code Avro-Json} or {@code Avro-Binary}, the
 * schema, then the events, in JSON one a line. One file is one job, made of its finished tasks'
 * counters, so that a failed job counts with what it did.
 *
 * <p>Deviation: the job's own totals are not used: files of jobs that failed have none.
 */
final class JobHistoryRows implements TraceRows {
  private static final String JSON_MAGIC = "Avro-Json";
  private static final String BINARY_MAGIC = "Avro-Binary";

  private final LineStream lines;
  private final Path file;
  private EventFields events;
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
    lines = new LineStream(TraceFile.open(file));
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
    events = events();
    while (events.next(this::readEventField)) {
      // Each event adds to the figures.
    }
    if (jobId.isEmpty() || submitMillis == 0) {
      throw new BadRowException(file + ": has no JobSubmitted event with a submitTime");
    }
    if (!ended) {
      throw new BadRowException(
          events.where()
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

  private EventFields events() throws IOException {
    String magic = nextLine();
    if (!magic.equals(JSON_MAGIC) && !magic.equals(BINARY_MAGIC)) {
      throw new BadRowException(
          lines.where()
              + ": is "
              + TraceException.quoted(magic)
              + ", a job history file starts with "
              + JSON_MAGIC
              + " or "
              + BINARY_MAGIC);
    }
    String schema = nextLine();
    if (magic.equals(JSON_MAGIC)) {
      return new JsonLines(lines);
    }
    return new AvroEvents(lines, file, AvroSchema.parse(schema, lines.where()));
  }

  private String nextLine() throws IOException {
    if (!lines.nextLine()) {
      throw new BadRowException(file + ": ends after its first line, the file is cut off");
    }
    return lines.text();
  }

  private void readEventField(String field) throws IOException {
    if (field.equals("event")) {
      events.eachField(this::readEvent);
    }
  }

  private void readEvent(String type) throws IOException {
    switch (type.substring(type.lastIndexOf('.') + 1)) {
      case "JobSubmitted" -> events.eachField(this::readSubmitted);
      case "JobInited" -> events.eachField(this::readInited);
      case "JobFinished", "JobUnsuccessfulCompletion" -> ended = true;
      case "TaskFinished" -> {
        map = false;
        counters = new Counters();
        events.eachField(this::readTask);
        addTask();
      }
      default -> {
        // Other events say nothing about bytes.
      }
    }
  }

  private void readSubmitted(String field) throws IOException {
    switch (field) {
      case "jobid" -> jobId = events.text();
      case "jobName" -> jobName = events.text();
      case "submitTime" -> submitMillis = events.number(field, TraceLimits.SUBMIT_MILLIS_MAX);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readInited(String field) throws IOException {
    switch (field) {
      case "totalMaps" -> figures.mapCount = events.number(field, TraceLimits.TASKS_MAX);
      case "totalReduces" -> figures.reduceCount = events.number(field, TraceLimits.TASKS_MAX);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readTask(String field) throws IOException {
    switch (field) {
      case "taskType" -> map = events.text().equals("MAP");
      case "counters" -> events.eachField(this::readCounters);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private void readCounters(String field) throws IOException {
    if (field.equals("groups")) {
      events.eachElement(ignored -> events.eachField(this::readGroup));
    }
  }

  private void readGroup(String field) throws IOException {
    if (field.equals("counts")) {
      events.eachElement(
          ignored -> {
            counterName = "";
            counterValue = 0;
            events.eachField(this::readCounter);
            addCounter();
          });
    }
  }

  private void readCounter(String field) throws IOException {
    if (field.equals("name")) {
      counterName = events.text();
    } else if (field.equals("value") && Counter.of(counterName) != Counter.OTHER) {
      counterValue = events.number(counterName, TraceLimits.CPU_MILLIS_MAX * 1_000_000);
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
