package io.tierwise.profiles;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.function.Consumer;

/** Reads runs from the rows of their phases. */
final class RunRows {
  private RunRows() {}

  /**
   * The query for all runs, in the order in which they were submitted.
   *
   * @param hasConfigurations whether the tables know these
   */
  static String query(boolean hasConfigurations) {
    return "SELECT r.number, r.engine, r.application, r.succeeded, r.submit_millis,"
        + " r.end_millis - r.start_millis, p.name, p.tasks, p.end_millis - p.start_millis,"
        + " p.task_millis, p.read_bytes, p.written_bytes, p.spilled_bytes, p.shuffled_bytes, "
        + (hasConfigurations ? "COALESCE(c.number, 0)" : "0")
        + " FROM run r JOIN phase p ON p.run = r.number"
        + (hasConfigurations ? " LEFT JOIN configuration c ON c.run = r.number" : "")
        + " ORDER BY r.submit_millis, r.number, p.place";
  }

  static void read(ResultSet row, Consumer<RunFigures> reader) throws SQLException {
    RunFigures run = null;
    long number = -1;
    while (row.next()) {
      if (row.getLong(1) != number) {
        if (run != null) {
          reader.accept(run);
        }
        number = row.getLong(1);
        run = run(row);
      }
      run.phases().add(phase(row));
    }
    if (run != null) {
      reader.accept(run);
    }
  }

  private static RunFigures run(ResultSet row) throws SQLException {
    return new RunFigures(
        new ApplicationKey(row.getString(2), row.getString(3)),
        row.getInt(15),
        row.getInt(4) == 1,
        row.getLong(5),
        seconds(row.getLong(6)),
        new ArrayList<>());
  }

  private static RunFigures.PhaseFigures phase(ResultSet row) throws SQLException {
    return new RunFigures.PhaseFigures(
        row.getString(7),
        row.getLong(8),
        seconds(row.getLong(9)),
        seconds(row.getLong(10)),
        row.getLong(11),
        row.getLong(12),
        row.getLong(13),
        row.getLong(14));
  }

  private static double seconds(long millis) {
    return Math.max(0, millis) / 1e3;
  }
}
