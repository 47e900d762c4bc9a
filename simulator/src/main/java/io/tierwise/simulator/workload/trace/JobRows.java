package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.JsonLines;
import io.tierwise.history.Position;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceLimits;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A JSON object a line and job, for programs that know more of a job than other formats can say: by
 * how many maps an input was read, and how long they computed.
 */
final class JobRows extends Position.OfBelow implements TraceRows {
  private final JsonLines lines;
  private String id;
  private String path;
  private long submitMillis;
  private long inputBytes;
  private long fileBytes;
  private long mapCount;
  private long cpuMillis;

  private JobRows(JsonLines lines) {
    super(lines);
    this.lines = lines;
  }

  static JobRows open(Path file) throws IOException {
    return new JobRows(new JsonLines(HistoryFile.of(file)));
  }

  @Override
  public TraceRow next() throws IOException {
    id = "";
    path = "";
    submitMillis = 0;
    inputBytes = 0;
    fileBytes = 0;
    mapCount = 0;
    cpuMillis = 0;
    return lines.next(this::read) ? row() : null;
  }

  private void read(String field) throws IOException {
    switch (field) {
      case "id" -> id = lines.text();
      case "path" -> path = lines.text();
      case "submit_millis" -> submitMillis = lines.number(field, TraceLimits.SUBMIT_MILLIS_MAX);
      case "input_bytes" -> inputBytes = lines.number(field, TraceLimits.BYTES_MAX);
      case "file_bytes" -> fileBytes = lines.number(field, TraceLimits.BYTES_MAX);
      case "maps" -> mapCount = lines.number(field, TraceLimits.TASKS_MAX);
      case "map_cpu_millis" -> cpuMillis = lines.number(field, TraceLimits.CPU_MILLIS_MAX);
      default ->
          throw new BadRowException(
              where()
                  + ": has "
                  + TraceException.quoted(field)
                  + ", a job has id, path, submit_millis, input_bytes, file_bytes, maps and"
                  + " map_cpu_millis");
    }
  }

  private TraceRow row() throws BadRowException {
    if (id.isEmpty()) {
      throw new BadRowException(where() + ": has no id");
    }
    if (inputBytes > 0 && path.isEmpty()) {
      path = TraceJobs.ownInput(id);
    }
    double cpuSeconds = cpuMillis / 1000.0;
    return new TraceRow(
        submitMillis,
        new JobSpec(
            id,
            "",
            0,
            path,
            "",
            inputBytes,
            Math.max(inputBytes, fileBytes),
            0,
            0,
            (int) (inputBytes > 0 ? mapCount : Math.max(1, mapCount)),
            0,
            inputBytes > 0 ? cpuSeconds * JobFigures.CYCLES_PER_CPU_SECOND / inputBytes : 0,
            0,
            1,
            inputBytes > 0 ? 0 : cpuSeconds / Math.max(1, mapCount),
            0));
  }
}
