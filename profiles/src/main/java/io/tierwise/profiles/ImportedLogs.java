package io.tierwise.profiles;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The logs that a catalog has the runs of, each by its {@link LogPrint}. */
final class ImportedLogs {
  static final String TABLE =
      "CREATE TABLE imported_log (print TEXT NOT NULL, PRIMARY KEY (print)) WITHOUT ROWID";

  private ImportedLogs() {}

  /** Notes logs, in the transaction that adds their runs. */
  static void note(Connection connection, List<String> prints) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO imported_log VALUES (?) ON CONFLICT DO NOTHING")) {
      for (String print : prints) {
        RunCatalog.fill(insert, print);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  static boolean has(Connection connection, String print) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT 1 FROM imported_log WHERE print = ?")) {
      RunCatalog.fill(query, print);
      try (ResultSet row = query.executeQuery()) {
        return row.next();
      }
    }
  }
}
