package io.tierwise.history;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads a run of whichever engine, which the content of its history tells. */
public final class RunReader {
  private static final int HEAD_BYTES = 64;
  private static final String SPARK_HEAD = "{\"Event\":";

  private RunReader() {}

  /**
   * Reads a run.
   *
   * @return empty when it is neither a job history nor an event log
   * @throws TraceException when it is one that cannot be used; the message is one line
   */
  public static Optional<RunRecord> read(HistoryLog log) throws IOException {
    List<HistoryFile> parts = log.wholeParts();
    HistoryFile first = parts.get(0);
    if (log.kind() == HistoryLog.Kind.FOUND && first.bytes() == 0) {
      return Optional.empty();
    }
    String head = head(first);
    if (head.startsWith(JobHistory.MAGIC)) {
      try (JobHistory history = JobHistory.open(first)) {
        return Optional.of(history.read().plausible(first.name()));
      }
    }
    return head.startsWith(SPARK_HEAD)
        ? Optional.of(SparkHistory.read(parts).plausible(first.name()))
        : Optional.empty();
  }

  private static String head(HistoryFile file) throws IOException {
    try (TraceFile in = TraceFile.open(file)) {
      return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceException(file.name() + ": " + TraceFile.reason(e), e);
    }
  }
}
