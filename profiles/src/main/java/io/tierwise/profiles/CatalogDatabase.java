package io.tierwise.profiles;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Where a catalog is, and what each kind of database does in its own way. */
interface CatalogDatabase {
  /** Own: hundreds of batches of other importers, on a slow disk. */
  int WAIT_MILLIS = 30_000;

  /** Marks a database as ours, and is the lock of importers: "Twpr". */
  int APPLICATION_ID = 0x54777072;

  String LOCKED = "is locked by another process: try again when that is done";
  String FULL =
      "cannot grow, its file system is full: nothing of the last runs was added; make room"
          + " and import again";

  /** A PostgreSQL database when it is written as a URL, a SQLite file otherwise. */
  static CatalogDatabase at(String where) {
    return PostgresUrl.isUrl(where)
        ? new PostgresDatabase(PostgresUrl.parse(where, System::getenv), WAIT_MILLIS)
        : new SqliteFile(where, WAIT_MILLIS);
  }

  /** The name that messages have; tells no password. */
  String name();

  /**
   * Connects; other processes' locks are waited for no longer than was said.
   *
   * @param make whether what is not there may be made
   */
  Connection connect(boolean make) throws SQLException;

  /**
   * The version of the tables; 0 when there are none.
   *
   * @throws OperatorException when these are another program's
   */
  long version(Connection connection) throws SQLException;

  /** Begins a transaction that no other importer is in. */
  String begin();

  /**
   * The statements that make the tables.
   *
   * @param tables in SQLite's words
   */
  List<String> make(List<String> tables, int version);

  /**
   * The statements that bring tables of an earlier version up to a later one.
   *
   * @param tables that it lacks, in SQLite's words
   */
  List<String> change(List<String> tables, int version);

  /** Why it failed and what to do, as the end of a sentence that begins with its name. */
  String reason(SQLException e);

  /** The same as an error of a command. */
  default OperatorException failure(SQLException e) {
    boolean ofBatch = e instanceof BatchUpdateException && e.getCause() instanceof SQLException;
    SQLException first = ofBatch ? (SQLException) e.getCause() : e;
    return OperatorException.cluster("the catalog " + name() + " " + reason(first), e);
  }

  /** That somebody has to import first. */
  default OperatorException none() {
    return OperatorException.badInput(
        "there is no catalog " + name() + ": 'tierwise profile import' makes one");
  }

  /** What a driver said, on one line. */
  static String said(SQLException e) {
    String message = e.getMessage() == null ? "no message" : e.getMessage();
    return Words.plain(message.lines().findFirst().orElse(""));
  }

  /** The number that a query answers with; 0 when it has no row. */
  static long number(Connection connection, String query, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      RunCatalog.fill(statement, values);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }
}
