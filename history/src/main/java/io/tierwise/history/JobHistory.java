package io.tierwise.history;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A MapReduce job history file ({@code .jhist}): {@code Avro-Json} or {@code Avro-Binary}, the
 * schema, then the events, in JSON one a line. One file is one job. Bytes are its finished tasks'
 * counters, so that a failed job counts with what it did; times and hosts are those of attempts
 * that finished.
 *
 * <p>Deviation: the job's own totals are not used: files of jobs that failed have none.
 */
public final class JobHistory extends Position.OfBelow {
  /** The phases of each job, in this order; a job without reducers leaves the others empty. */
  public static final List<String> PHASES = List.of("map", "shuffle", "reduce");

  static final String MAGIC = "Avro-";

  /** Own: an attempt's id has 40 characters; what a longer one begins with tells it from others. */
  private static final int ID_CHARACTERS_MAX = 100;

  private static final String JSON_MAGIC = MAGIC + "Json";
  private static final String BINARY_MAGIC = MAGIC + "Binary";

  private final LineStream lines;
  private final String file;
  private EventFields events;

  private final PhaseSum maps = new PhaseSum(PHASES.get(0));
  private final PhaseSum shuffle = new PhaseSum(PHASES.get(1));
  private final PhaseSum reducers = new PhaseSum(PHASES.get(2));
  private String jobId = "";
  private String jobName = "";
  private long submitMillis;
  private long endMillis;
  private boolean ended;
  private boolean succeeded;
  private long mapOutputBytes;
  private long materializedBytes;

  /** When attempts that have no end yet started. */
  private final Map<String, Long> startMillis = new HashMap<>();

  private Attempt attempt = new Attempt();

  // The task event being read.
  private boolean map;
  private Counters counters = new Counters();
  private String counterName = "";
  private long counterValue;

  private static final class Counters {
    private long readBytes;
    private long writtenBytes;
    private long localBytes;
    private long mapOutputBytes;
    private long materializedBytes;
    private long shuffledBytes;
    private long cpuMillis;
  }

  /** The event of an attempt being read. */
  private static final class Attempt {
    private String id = "";
    private String host = "";
    private long startMillis;
    private long shuffledMillis;
    private long finishMillis;
  }

  private JobHistory(String file, LineStream lines) {
    super(lines);
    this.file = file;
    this.lines = lines;
  }

  public static JobHistory open(HistoryFile file) throws IOException {
    return new JobHistory(file.name(), new LineStream(TraceFile.open(file)));
  }

  /**
   * Reads the job.
   *
   * @throws BadRowException when the file is none, or ends before the job does
   */
  public RunRecord read() throws IOException {
    events = events();
    while (events.next(this::readEventField)) {
      // Each event adds to the sums.
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
    if (reducers.taskCount == 0) {
      shuffle.shuffledBytes = 0;
    } else if (shuffle.shuffledBytes == 0) {
      // Own: what maps made ready for reducers; else what they put out.
      shuffle.addShuffled(materializedBytes > 0 ? materializedBytes : mapOutputBytes);
    }
    return new RunRecord(
        RunRecord.Engine.MAPREDUCE,
        jobId,
        jobName,
        submitMillis,
        maps.startMillis > 0 ? maps.startMillis : submitMillis,
        endMillis,
        succeeded,
        List.of(maps.phase(), shuffle.phase(), reducers.phase()));
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
      case "JobFinished" -> end(true);
      case "JobUnsuccessfulCompletion" -> end(false);
      case "TaskAttemptStarted" -> {
        readAttempt();
        startAttempt();
      }
      case "MapAttemptFinished" -> {
        readAttempt();
        finish(maps, attempt.startMillis, attempt.finishMillis);
      }
      case "ReduceAttemptFinished" -> {
        readAttempt();
        finish(shuffle, attempt.startMillis, attempt.shuffledMillis);
        finish(reducers, attempt.shuffledMillis, attempt.finishMillis);
      }
      case "TaskAttemptUnsuccessfulCompletion" -> readAttempt();
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

  private void end(boolean success) throws IOException {
    ended = true;
    succeeded = success;
    events.eachField(
        field -> {
          if (field.equals("finishTime")) {
            endMillis = events.number(field, TraceLimits.SUBMIT_MILLIS_MAX);
          }
        });
  }

  /** Reads the event of an attempt; its start is known from an event before. */
  private void readAttempt() throws IOException {
    attempt = new Attempt();
    events.eachField(this::readAttemptField);
    Long known = startMillis.remove(attempt.id);
    if (known != null) {
      attempt.startMillis = known;
    }
  }

  private void readAttemptField(String field) throws IOException {
    switch (field) {
      case "attemptId" -> attempt.id = TraceException.printable(events.text(), ID_CHARACTERS_MAX);
      case "hostname" -> attempt.host = events.text();
      case "startTime" -> attempt.startMillis = time(field);
      case "shuffleFinishTime" -> attempt.shuffledMillis = time(field);
      case "finishTime" -> attempt.finishMillis = time(field);
      default -> {
        // Left to the caller, which skips it.
      }
    }
  }

  private long time(String field) throws IOException {
    return events.number(field, TraceLimits.SUBMIT_MILLIS_MAX);
  }

  private void startAttempt() throws TraceException {
    startMillis.put(attempt.id, attempt.startMillis);
    if (startMillis.size() > TraceLimits.OPEN_MAX) {
      throw new TraceException(
          events.where() + ": more than " + TraceLimits.OPEN_MAX + " attempts have no end");
    }
  }

  private void finish(PhaseSum phase, long fromMillis, long toMillis) throws BadRowException {
    phase.addTask(attempt.host, fromMillis, toMillis, events.where());
  }

  private void readInited(String field) throws IOException {
    switch (field) {
      case "totalMaps" -> maps.taskCount = events.number(field, TraceLimits.TASKS_MAX);
      case "totalReduces" -> {
        reducers.taskCount = events.number(field, TraceLimits.TASKS_MAX);
        shuffle.taskCount = reducers.taskCount;
      }
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
    FILE_BYTES_WRITTEN,
    MAP_OUTPUT_BYTES,
    MAP_OUTPUT_MATERIALIZED_BYTES,
    REDUCE_SHUFFLE_BYTES,
    CPU_MILLISECONDS,
    OTHER;

    static Counter of(String name) {
      return switch (name) {
        case "HDFS_BYTES_READ" -> HDFS_BYTES_READ;
        case "HDFS_BYTES_WRITTEN" -> HDFS_BYTES_WRITTEN;
        case "FILE_BYTES_WRITTEN" -> FILE_BYTES_WRITTEN;
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
      case FILE_BYTES_WRITTEN -> counters.localBytes = counterValue;
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
    PhaseSum phase = map ? maps : reducers;
    if (map) {
      mapOutputBytes = PhaseSum.sum(mapOutputBytes, counters.mapOutputBytes);
      materializedBytes = PhaseSum.sum(materializedBytes, counters.materializedBytes);
    } else {
      shuffle.addShuffled(counters.shuffledBytes);
    }
    phase.addBytes(counters.readBytes, counters.writtenBytes, counters.localBytes);
    phase.addCpuNanos(counters.cpuMillis * 1_000_000);
  }
}
