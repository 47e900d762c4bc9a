package io.tierwise.simulator.workload.trace;

import io.tierwise.history.BadRowException;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.LineStream;
import io.tierwise.history.Position;
import io.tierwise.history.TraceException;
import io.tierwise.history.TraceFile;
import io.tierwise.history.TraceLimits;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A SWIM trace: one job a line, tab separated, no header. Columns: id, submit time in seconds, gap
 * to the job before in seconds, map input bytes, shuffle bytes, output bytes and, in some traces,
 * the path of the input. Shuffle 0 means a job of maps only.
 *
 * <p>A file may have been cut off anywhere. A last line without newline is bad when it has fewer
 * columns than the line above it; a cut inside its last column, or at the end of a line, cannot be
 * seen: the first of these is warned of.
 */
final class SwimRows extends Position.OfBelow implements TraceRows {
  private static final int COLUMNS_MIN = 6;
  private static final int COLUMNS_MAX = 9;
  private static final int PATH_COLUMN = 6;
  private static final String[] COLUMN_NAMES = {
    "job id",
    "submit time in seconds",
    "gap in seconds",
    "map input bytes",
    "shuffle bytes",
    "output bytes",
    "input path",
    "not used",
    "not used"
  };

  private final LineStream lines;
  private final PathSizes sizes;
  private final int[] starts = new int[COLUMNS_MAX + 1];
  private int columnsAbove;
  private String warning = "";

  private SwimRows(LineStream lines, PathSizes sizes) {
    super(lines);
    this.lines = lines;
    this.sizes = sizes;
  }

  /**
   * Opens a trace. It is read twice: the first time for the sizes of the input paths, since jobs
   * that read the same path do not agree on it.
   *
   * @param skipBadRows whether bad rows are left out of the sizes, too, instead of being reported
   */
  static SwimRows open(Path file, boolean skipBadRows) throws IOException {
    PathSizes sizes = new PathSizes(file);
    try (SwimRows rows =
        new SwimRows(new LineStream(TraceFile.open(HistoryFile.of(file))), sizes)) {
      rows.collectSizes(skipBadRows);
    }
    return new SwimRows(new LineStream(TraceFile.open(HistoryFile.of(file))), sizes);
  }

  private void collectSizes(boolean skipBadRows) throws IOException {
    while (true) {
      try {
        TraceRow row = next();
        if (row == null) {
          return;
        }
        sizes.add(row.job().inputPath(), row.job().inputBytes());
      } catch (BadRowException e) {
        if (!skipBadRows) {
          throw e;
        }
      }
    }
  }

  @Override
  public TraceRow next() throws IOException {
    while (lines.nextLine()) {
      String row = lines.text();
      if (!row.isEmpty()) {
        return parse(row);
      }
    }
    return null;
  }

  private TraceRow parse(String row) throws BadRowException {
    int columns = split(row);
    if (lines.endsWithoutNewline()) {
      requireWhole(row, columns);
    }
    columnsAbove = columns;
    String id = row.substring(starts[0], starts[1] - 1);
    if (id.isEmpty()) {
      throw bad(0, "''", "must not be empty");
    }
    long submitMillis = 1000 * number(row, 1, TraceLimits.SUBMIT_MILLIS_MAX / 1000);
    number(row, 2, TraceLimits.SUBMIT_MILLIS_MAX / 1000);
    long inputBytes = number(row, 3, TraceLimits.BYTES_MAX);
    long shuffleBytes = number(row, 4, TraceLimits.BYTES_MAX);
    long outputBytes = number(row, 5, TraceLimits.BYTES_MAX);
    String path =
        columns > PATH_COLUMN
            ? row.substring(starts[PATH_COLUMN], starts[PATH_COLUMN + 1] - 1)
            : "";
    if (path.isEmpty() && inputBytes > 0) {
      path = TraceJobs.ownInput(id);
    }
    return new TraceRow(
        submitMillis,
        new JobSpec(
            utf8(id),
            "",
            0,
            utf8(path),
            "",
            inputBytes,
            Math.max(inputBytes, sizes.of(utf8(path))),
            shuffleBytes,
            outputBytes,
            inputBytes > 0 ? 0 : 1,
            0,
            0,
            0,
            1,
            0,
            0));
  }

  private void requireWhole(String row, int columns) throws BadRowException {
    if (columns < columnsAbove) {
      throw new BadRowException(
          lines.where()
              + ": "
              + TraceException.quoted(row)
              + " is cut off: no newline, and "
              + columns
              + " columns instead of "
              + columnsAbove
              + " as above");
    }
    warning =
        lines.where()
            + ": the last line has no newline: if the file is cut off there, its column "
            + columns
            + " ("
            + COLUMN_NAMES[columns - 1]
            + ") lacks its end";
  }

  /** Fills {@link #starts} with the first character of each column, and one behind the last. */
  private int split(String row) throws BadRowException {
    int columns = 0;
    starts[0] = 0;
    int tab = row.indexOf('\t');
    while (tab >= 0 && columns + 1 < COLUMNS_MAX) {
      starts[++columns] = tab + 1;
      tab = row.indexOf('\t', tab + 1);
    }
    columns++;
    starts[columns] = row.length() + 1;
    if (tab >= 0 || columns < COLUMNS_MIN) {
      throw new BadRowException(
          lines.where() + ": " + TraceException.quoted(row) + shape(row, columns, tab >= 0));
    }
    return columns;
  }

  private String shape(String row, int columns, boolean tooMany) {
    String rule = " tab separated columns, a SWIM trace has 6 to 9";
    if (row.chars().anyMatch(c -> c < ' ' && c != '\t')) {
      return " is not text, a SWIM trace has 6 to 9 tab separated columns";
    }
    boolean cut = columnsAbove > 0 && lines.endsWithoutNewline();
    return (tooMany ? " has more than " + COLUMNS_MAX : " has " + columns)
        + rule
        + (cut ? "; it has no newline: the file is cut off" : "");
  }

  private long number(String row, int column, long max) throws BadRowException {
    int start = starts[column];
    int end = starts[column + 1] - 1;
    long value = 0;
    for (int i = start; i < end; i++) {
      int digit = row.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw badNumber(row, column, max);
      }
      value = 10 * value + digit;
      if (value > max) {
        throw badNumber(row, column, max);
      }
    }
    if (start == end) {
      throw badNumber(row, column, max);
    }
    return value;
  }

  private BadRowException badNumber(String row, int column, long max) {
    String value = row.substring(starts[column], starts[column + 1] - 1);
    return bad(column, TraceException.quoted(value), "must be a whole number from 0 to " + max);
  }

  private BadRowException bad(int column, String value, String rule) {
    return new BadRowException(
        lines.where()
            + ": column "
            + (column + 1)
            + " ("
            + COLUMN_NAMES[column]
            + ") is "
            + value
            + ", "
            + rule);
  }

  private static String utf8(String latin1) {
    return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  @Override
  public String warning() {
    return warning;
  }
}
