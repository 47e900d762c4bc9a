package io.tierwise.history;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A Spark event log as one run of an application: one file, or all files of a rolled one in their
 * order. Its phases are the stages that read no other stage's output ({@code map}) and those that
 * do ({@code reduce}).
 */
final class SparkHistory {
  /** As the simulator calls them; MapReduce's shuffle is a part of Spark's tasks. */
  static final List<String> PHASES = List.of("map", "reduce");

  /** Own: a hundred bytes each; an application that runs for months has as many. */
  private static final int STAGES_MAX = 1_000_000;

  private static final String EVENT = "SparkListener";

  private final String file;
  private final SparkEvent event = new SparkEvent();
  private final PhaseSum maps = new PhaseSum(PHASES.get(0));
  private final PhaseSum reducers = new PhaseSum(PHASES.get(1));

  /** Whether stages read other stages' output. */
  private final Map<Long, Boolean> hasParents = new HashMap<>();

  private String name = "";
  private String id = "";
  private long submitMillis;
  private long endMillis;
  private boolean succeeded = true;

  private SparkHistory(String file) {
    this.file = file;
  }

  static RunRecord read(List<HistoryFile> parts) throws IOException {
    SparkHistory history = new SparkHistory(parts.get(0).name());
    for (HistoryFile part : parts) {
      try (JsonLines lines = new JsonLines(part)) {
        while (history.readEvent(lines)) {
          // Each event adds to the sums.
        }
      }
    }
    return history.run();
  }

  private RunRecord run() throws BadRowException {
    if (id.isEmpty() || submitMillis == 0) {
      throw new BadRowException(file + ": has no SparkListenerApplicationStart with a Timestamp");
    }
    if (endMillis == 0) {
      throw new BadRowException(
          file
              + ": ends before application "
              + TraceException.quoted(id)
              + " does, the file is cut off or the application still runs");
    }
    long first = maps.startMillis > 0 ? maps.startMillis : reducers.startMillis;
    return new RunRecord(
        RunRecord.Engine.SPARK,
        id,
        name,
        submitMillis,
        first > 0 ? first : submitMillis,
        endMillis,
        succeeded,
        List.of(maps.phase(), reducers.phase()),
        event.inputs.list());
  }

  private boolean readEvent(JsonLines lines) throws IOException {
    event.clear();
    if (!lines.next(field -> event.read(field, lines))) {
      return false;
    }
    switch (event.type) {
      case EVENT + "ApplicationStart" -> {
        name = event.applicationName;
        id = event.applicationId + (event.attemptId.isEmpty() ? "" : "_" + event.attemptId);
        submitMillis = event.timeMillis;
      }
      case EVENT + "ApplicationEnd" -> {
        endMillis = event.timeMillis;
        succeeded &= event.exitCode == 0;
      }
      case EVENT + "JobStart" -> startJob(lines);
      case EVENT + "JobEnd" -> succeeded &= !event.jobFailed;
      case EVENT + "TaskEnd" -> endTask(lines);
      case "" -> throw new BadRowException(lines.where() + ": has no Event, is no Spark event");
      default -> {
        // Other events say nothing about tasks.
      }
    }
    return true;
  }

  private void startJob(JsonLines lines) throws TraceException {
    for (SparkEvent.StageInfo info : event.stages) {
      hasParents.put(info.id(), info.hasParents());
    }
    if (hasParents.size() > STAGES_MAX) {
      throw new TraceException(lines.where() + ": has more than " + STAGES_MAX + " stages");
    }
  }

  private void endTask(JsonLines lines) throws BadRowException {
    Boolean readsOthers = hasParents.get(event.stageId);
    if (readsOthers == null || !event.success) {
      return;
    }
    event.leaveOutKept();
    PhaseSum phase = readsOthers ? reducers : maps;
    phase.taskCount++;
    phase.addTask(event.host, event.launchMillis, event.finishMillis, lines.where());
    phase.addBytes(
        event.inputBytes,
        event.outputBytes,
        PhaseSum.sum(event.spilledBytes, event.shuffleWriteBytes));
    phase.addShuffled(event.shuffleReadBytes);
    phase.addCpuNanos(event.cpuNanos);
  }
}
