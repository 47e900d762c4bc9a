package io.tierwise.profiles;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.history.HistoryLog;
import io.tierwise.history.RunReader;
import io.tierwise.history.RunRecord;
import io.tierwise.history.TraceException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Adds what logs tell to a catalog. A log that cannot be used is told and left out; one that was
 * imported whole and has not changed since is not read again. Runs are read first and then added in
 * batches, so that the catalog is locked for moments only.
 */
public final class HistoryImport implements HistoryLog.Reader {
  private static final int BATCH_RUNS = 100;

  /** Own: enough to see what is wrong; a folder of the wrong files has a line each. */
  private static final int TOLD_MAX = 10;

  private final RunCatalog catalog;
  private final String application;
  private final Consumer<String> said;
  private final List<RunCatalog.NamedRun> batch = new ArrayList<>();

  /** The prints of the logs that the runs of the batch are of. */
  private final List<String> prints = new ArrayList<>();

  private int added;
  private int known;
  private int unfinished;
  private int other;
  private int refused;

  /**
   * Refuses a name of nothing, as of a shell's variable that is not set: a run counts once, so that
   * it could never be added by its own name.
   *
   * @param application null where none was given
   */
  public static void requireName(String application) {
    if (application != null && application.isBlank()) {
      throw OperatorException.badInput(
          "--application is empty: give a name, or leave the option out");
    }
  }

  /**
   * Makes one.
   *
   * @param application that all runs are counted for; null for each run's own
   * @param said takes a line about each of the first logs that cannot be used
   */
  public HistoryImport(RunCatalog catalog, String application, Consumer<String> said) {
    this.catalog = catalog;
    this.application = application;
    this.said = said;
  }

  @Override
  public void read(HistoryLog log) {
    if (log.unfinished()) {
      unfinished++;
      return;
    }
    try {
      String print = LogPrint.of(log);
      if (catalog.hasImported(print)) {
        known++;
        return;
      }
      Optional<RunRecord> run = RunReader.read(log);
      if (run.isPresent()) {
        add(run.get(), print);
      } else if (log.kind() == HistoryLog.Kind.FOUND) {
        other++;
      } else {
        refuse(log.name() + ": is neither a job history file nor a Spark event log");
      }
    } catch (TraceException e) {
      refuse(e.getMessage());
    } catch (IOException e) {
      refuse(log.name() + ": cannot be read (" + e + ")");
    }
  }

  private void refuse(String problem) {
    refused++;
    if (refused <= TOLD_MAX) {
      said.accept(Words.plain(problem));
    } else if (refused == TOLD_MAX + 1) {
      said.accept("more logs cannot be used: only the first " + TOLD_MAX + " are told");
    }
  }

  private void add(RunRecord run, String print) {
    String name = application == null ? run.application() : application;
    batch.add(new RunCatalog.NamedRun(run, ApplicationName.of(name)));
    prints.add(print);
    if (batch.size() >= BATCH_RUNS) {
      flush();
    }
  }

  private void flush() {
    int now = catalog.add(batch, prints);
    added += now;
    known += batch.size() - now;
    batch.clear();
    prints.clear();
  }

  /**
   * Adds what is left.
   *
   * @throws OperatorException when nothing that was read is a log
   */
  public ImportAnswer finish() {
    flush();
    if (added + known + unfinished + refused == 0) {
      throw OperatorException.badInput(
          "no job history and no event log is there, of "
              + Words.count(other, "file")
              + ": name a file, or a folder such as mapreduce.jobhistory.done-dir or"
              + " spark.eventLog.dir");
    }
    return new ImportAnswer(added, known, unfinished, other, refused);
  }
}
