package io.tierwise.profiles;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tierwise.core.message.OperatorException;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs in one SQLite file or in a PostgreSQL database, each once however often it is added. Several
 * processes may add and read at the same time; what {@link #add} has returned from is durable, and
 * a process that is killed leaves nothing half-added.
 */
public final class RunCatalog implements AutoCloseable {
  /** The version of the tables; a catalog of a later one is refused. */
  static final int VERSION = 1;

  /** All engines that a run can be of. */
  static final List<String> ENGINES =
      Arrays.stream(RunRecord.Engine.values()).map(RunRecord.Engine::word).toList();

  private static final int KEY_CHARACTERS_MAX = 200;

  /** Rows that a server sends at once, so that memory holds no more of a large catalog. */
  private static final int FETCH_ROWS = 10_000;

  /** In SQLite's words, which {@link PostgresDatabase} translates. */
  static final List<String> TABLES =
      List.of(
          "CREATE TABLE run (number INTEGER PRIMARY KEY, engine TEXT NOT NULL, id TEXT NOT NULL,"
              + " application TEXT NOT NULL, submit_millis INTEGER NOT NULL,"
              + " start_millis INTEGER NOT NULL, end_millis INTEGER NOT NULL,"
              + " succeeded INTEGER NOT NULL, UNIQUE (engine, id, submit_millis))",
          "CREATE TABLE phase (run INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,"
              + " tasks INTEGER NOT NULL, start_millis INTEGER NOT NULL,"
              + " end_millis INTEGER NOT NULL, task_millis INTEGER NOT NULL,"
              + " cpu_nanos INTEGER NOT NULL, read_bytes INTEGER NOT NULL,"
              + " written_bytes INTEGER NOT NULL, spilled_bytes INTEGER NOT NULL,"
              + " shuffled_bytes INTEGER NOT NULL, PRIMARY KEY (run, place)) WITHOUT ROWID",
          "CREATE TABLE host (run INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,"
              + " tasks INTEGER NOT NULL, PRIMARY KEY (run, place, name)) WITHOUT ROWID",
          "CREATE INDEX run_of_application ON run (application, engine)");

  private final CatalogDatabase database;
  private final Connection connection;

  private RunCatalog(CatalogDatabase database, Connection connection) {
    this.database = database;
    this.connection = connection;
  }

  /**
   * Opens a catalog, or makes an empty one, with the folders above it or its schema.
   *
   * @param where a SQLite file, or the URL of a PostgreSQL database
   */
  public static RunCatalog openOrMake(String where) {
    return open(CatalogDatabase.at(where), true);
  }

  /** Opens a catalog that is there. */
  public static RunCatalog open(String where) {
    return open(CatalogDatabase.at(where), false);
  }

  static RunCatalog open(CatalogDatabase database, boolean make) {
    try {
      RunCatalog catalog = new RunCatalog(database, database.connect(make));
      boolean ready = false;
      try {
        catalog.requireTables(make);
        ready = true;
        return catalog;
      } finally {
        if (!ready) {
          catalog.connection.close();
        }
      }
    } catch (SQLException e) {
      throw database.failure(e);
    }
  }

  private void requireTables(boolean make) throws SQLException {
    if (hasTables()) {
      return;
    }
    if (!make) {
      throw database.none();
    }
    inTransaction(
        () -> {
          // Another process may have made them since.
          if (!hasTables()) {
            for (String statement : database.make(TABLES, VERSION)) {
              execute(statement);
            }
          }
        });
  }

  private boolean hasTables() throws SQLException {
    long version = database.version(connection);
    if (version > VERSION) {
      throw OperatorException.cluster(
          "the catalog "
              + database.name()
              + " is of version "
              + version
              + ", written by a newer Tierwise: this one knows version "
              + VERSION
              + "; use that one, or name another catalog by --catalog",
          null);
    }
    return version > 0;
  }

  @FunctionalInterface
  private interface Work {
    void run() throws SQLException;
  }

  /** By statements of our own: the driver's commit begins the next transaction, and locks. */
  private void inTransaction(Work work) throws SQLException {
    boolean done = false;
    try {
      execute(database.begin());
      work.run();
      execute("COMMIT");
      done = true;
    } finally {
      if (!done) {
        rollBack();
      }
    }
  }

  private void execute(String statement) throws SQLException {
    try (Statement each = connection.createStatement()) {
      each.execute(statement);
    }
  }

  private void rollBack() {
    try {
      execute("ROLLBACK");
    } catch (SQLException e) {
      // It is rolled back already: SQLite does so when its file system is full, PostgreSQL when the
      // connection is lost.
    }
  }

  /** A run and the application that it is counted for. */
  public record NamedRun(RunRecord run, String application) {}

  /**
   * Adds runs, all or none.
   *
   * @return how many of them were not there before
   */
  public int add(List<NamedRun> runs) {
    int[] added = new int[1];
    try {
      inTransaction(
          () -> {
            for (NamedRun run : runs) {
              added[0] += add(run) ? 1 : 0;
            }
          });
    } catch (SQLException e) {
      throw database.failure(e);
    }
    return added[0];
  }

  private boolean add(NamedRun named) throws SQLException {
    RunRecord run = named.run();
    long number;
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO run (engine, id, application, submit_millis, start_millis, end_millis,"
                + " succeeded) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
                + " RETURNING number")) {
      fill(
          insert,
          run.engine().word(),
          run.id().length() > KEY_CHARACTERS_MAX
              ? run.id().substring(0, KEY_CHARACTERS_MAX)
              : run.id(),
          named.application(),
          run.submitMillis(),
          run.startMillis(),
          run.endMillis(),
          run.succeeded() ? 1 : 0);
      try (ResultSet row = insert.executeQuery()) {
        if (!row.next()) {
          return false;
        }
        number = row.getLong(1);
      }
    }
    for (int place = 0; place < run.phases().size(); place++) {
      add(number, place, run.phase(place));
    }
    return true;
  }

  private void add(long run, int place, Phase phase) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO phase VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      fill(
          insert,
          run,
          place,
          phase.name(),
          phase.taskCount(),
          phase.startMillis(),
          phase.endMillis(),
          phase.taskMillis(),
          phase.cpuNanos(),
          phase.readBytes(),
          phase.writtenBytes(),
          phase.spilledBytes(),
          phase.shuffledBytes());
      insert.executeUpdate();
    }
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO host VALUES (?, ?, ?, ?)")) {
      for (Map.Entry<String, Long> host : phase.tasksByHost().entrySet()) {
        fill(insert, run, place, host.getKey(), host.getValue());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  static void fill(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i] instanceof String text ? kept(text) : values[i]);
    }
  }

  /** With question marks for what a database cannot keep: NUL, and half of a surrogate pair. */
  private static String kept(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).replace('\0', '?');
  }

  /** Hands all runs on, in the order in which they were submitted. */
  void eachRun(Consumer<RunFigures> reader) {
    String query =
        "SELECT r.number, r.engine, r.application, r.succeeded, r.submit_millis,"
            + " r.end_millis - r.start_millis, p.name, p.tasks, p.end_millis - p.start_millis,"
            + " p.task_millis, p.read_bytes, p.written_bytes, p.spilled_bytes, p.shuffled_bytes"
            + " FROM run r JOIN phase p ON p.run = r.number"
            + " ORDER BY r.submit_millis, r.number, p.place";
    try {
      // PostgreSQL's driver fetches all rows at once, but in a transaction.
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH_ROWS);
        try (ResultSet row = statement.executeQuery(query)) {
          readRuns(row, reader);
        }
      }
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw database.failure(e);
    }
  }

  private static void readRuns(ResultSet row, Consumer<RunFigures> reader) throws SQLException {
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

  /** Attempts of an application's tasks by the host that they ran on, most first. */
  Map<String, Long> hosts(ApplicationKey application) {
    Map<String, Long> hosts = new LinkedHashMap<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT h.name, SUM(h.tasks) FROM host h JOIN run r ON r.number = h.run"
                + " WHERE r.application = ? AND r.engine = ? GROUP BY h.name"
                + " ORDER BY 2 DESC, 1")) {
      fill(query, application.application(), application.engine());
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          hosts.put(row.getString(1), row.getLong(2));
        }
      }
    } catch (SQLException e) {
      throw database.failure(e);
    }
    return hosts;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw database.failure(e);
    }
  }
}
