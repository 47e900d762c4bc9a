package io.tierwise.simulator.workload.trace;

import io.tierwise.history.HistoryFile;
import io.tierwise.history.JobHistory;
import io.tierwise.history.Phase;
import io.tierwise.history.Position;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.nio.file.Path;

/** A MapReduce job history file: one job, whose shuffle is what crossed to its reducers. */
final class JobHistoryRows extends Position.OfBelow implements TraceRows {
  private final Path file;
  private final JobHistory history;
  private boolean done;

  private JobHistoryRows(Path file, JobHistory history) {
    super(history);
    this.file = file;
    this.history = history;
  }

  static JobHistoryRows open(Path file) throws IOException {
    return new JobHistoryRows(file, JobHistory.open(HistoryFile.of(file)));
  }

  @Override
  public TraceRow next() throws IOException {
    if (done) {
      return null;
    }
    done = true;
    RunRecord run = history.read();
    Phase maps = run.phase(0);
    Phase shuffle = run.phase(1);
    Phase reducers = run.phase(2);
    JobFigures figures = new JobFigures();
    figures.mapCount = maps.taskCount();
    figures.reduceCount = reducers.taskCount();
    figures.addInput(maps.readBytes());
    figures.addMapOutput(shuffle.shuffledBytes());
    figures.addOutput(maps.writtenBytes());
    figures.addOutput(reducers.writtenBytes());
    figures.addCpuNanos(true, maps.cpuNanos());
    figures.addCpuNanos(false, reducers.cpuNanos());
    return new TraceRow(run.submitMillis(), figures.job(where(), run.id(), run.application()));
  }

  @Override
  public String where() {
    return file.toString();
  }
}
