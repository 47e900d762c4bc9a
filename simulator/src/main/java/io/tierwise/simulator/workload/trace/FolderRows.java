package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.history.HistoryLog;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceLimits;
import io.tierwise.simulator.scenario.WorkloadSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * All logs of a folder as one trace, in order of submission: a cluster's job history, or its Spark
 * applications, rolled ones too. Each is opened when its first job is due, so that no more files
 * are open, and jobs in memory, than applications ran at the same time.
 */
final class FolderRows implements TraceRows {
  private static final int OPEN_FILES_MAX = 1000;

  /** Opens one log: a file, or a folder that Spark rolled it in. */
  @FunctionalInterface
  interface Opener {
    TraceRows open(Path file) throws IOException;
  }

  /** A file and when its first job is submitted. */
  private record Start(long submitMillis, Path file) {}

  /** An open file and its next row. */
  private record Head(TraceRow row, TraceRows rows, String where) {}

  private final Opener opener;
  private final List<Start> starts;
  private final Queue<BadRowException> badFiles;
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(
          Comparator.<Head>comparingLong(head -> head.row().submitMillis())
              .thenComparing(head -> head.row().job().name()));
  private TraceRows toAdvance;
  private int started;
  private String where = "";

  private FolderRows(Opener opener, List<Start> starts, Queue<BadRowException> badFiles) {
    this.opener = opener;
    this.starts = starts;
    this.badFiles = badFiles;
  }

  /** Opens a folder, or a single log. */
  static TraceRows open(WorkloadSpec.Trace spec, Opener opener) throws IOException {
    if (!Files.isDirectory(spec.file()) || isRolled(spec.file())) {
      return opener.open(spec.file());
    }
    List<Start> starts = new ArrayList<>();
    Queue<BadRowException> badFiles = new ArrayDeque<>();
    for (Path file : files(spec.file())) {
      try (TraceRows rows = opener.open(file)) {
        TraceRow first = rows.next();
        if (first != null) {
          starts.add(new Start(first.submitMillis(), file));
        }
      } catch (TraceException e) {
        if (!spec.skipBadRows()) {
          throw e;
        }
        badFiles.add(new BadRowException(e.getMessage(), e));
      }
    }
    starts.sort(Comparator.comparingLong(Start::submitMillis).thenComparing(Start::file));
    return new FolderRows(opener, starts, badFiles);
  }

  private static boolean isRolled(Path file) {
    return Files.isDirectory(file) && HistoryLog.isRolled(String.valueOf(file.getFileName()));
  }

  /** Logs that are not hidden: HDFS keeps checksums in hidden files. */
  private static List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        boolean isLog = Files.isRegularFile(entry) || isRolled(entry);
        if (isLog && !entry.getFileName().toString().startsWith(".")) {
          files.add(entry);
        }
        if (files.size() > TraceLimits.FILES_MAX) {
          throw new TraceException(
              folder + ": has more than " + TraceLimits.FILES_MAX + " files, split it");
        }
      }
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceException(folder + ": cannot be listed (" + e.getMessage() + ")", e);
    }
    if (files.isEmpty()) {
      throw new TraceException(folder + ": has no file");
    }
    files.sort(Comparator.naturalOrder());
    return files;
  }

  @Override
  public TraceRow next() throws IOException {
    if (!badFiles.isEmpty()) {
      throw badFiles.remove();
    }
    if (toAdvance != null) {
      TraceRows rows = toAdvance;
      toAdvance = null;
      advance(rows);
    }
    while (started < starts.size()
        && (heads.isEmpty()
            || starts.get(started).submitMillis() <= heads.peek().row().submitMillis())) {
      if (heads.size() >= OPEN_FILES_MAX) {
        throw new TraceException(
            starts.get(started).file() + ": more than " + OPEN_FILES_MAX + " files overlap");
      }
      advance(opener.open(starts.get(started++).file()));
    }
    Head head = heads.poll();
    if (head == null) {
      return null;
    }
    toAdvance = head.rows();
    where = head.where();
    return head.row();
  }

  private void advance(TraceRows rows) throws IOException {
    TraceRow row;
    try {
      row = rows.next();
    } catch (BadRowException e) {
      toAdvance = rows;
      throw e;
    } catch (IOException e) {
      rows.close();
      throw e;
    }
    if (row == null) {
      rows.close();
    } else {
      heads.add(new Head(row, rows, rows.where()));
    }
  }

  @Override
  public String where() {
    return where;
  }

  @Override
  public double progress() {
    return starts.isEmpty() ? 1 : (started - heads.size()) / (double) starts.size();
  }

  @Override
  public void close() throws IOException {
    if (toAdvance != null) {
      toAdvance.close();
    }
    for (Head head : heads) {
      head.rows().close();
    }
  }
}
