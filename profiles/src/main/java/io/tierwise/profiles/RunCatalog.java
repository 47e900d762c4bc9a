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
  static final int VERSION = 3;

  /** All engines that a run can be of. */
  static final List<String> ENGINES =
      Arrays.stream(RunRecord.Engine.values()).map(RunRecord.Engine::word).toList();

  private static final int KEY_CHARACTERS_MAX = 200;

  /** Rows that a server sends at once, so that memory holds no more of a large catalog. */
  private static final int FETCH_ROWS = 10_000;

  /** What version 1 lacks: the runs that were made in a configuration of their own. */
  private static final String CONFIGURATIONS =
      "CREATE TABLE configuration (run INTEGER NOT NULL, number INTEGER NOT NULL,"
          + " PRIMARY KEY (run)) WITHOUT ROWID";

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
          "CREATE INDEX run_of_application ON run (application, engine)",
          CONFIGURATIONS,
          ImportedLogs.TABLE);

  private final CatalogDatabase database;
  private final Connection connection;

  /** Of the tables: those of an earlier version are read as they are. */
  private long tablesVersion;

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
    long version = version();
    if (version == 0 && !make) {
      throw database.none();
    }
    if (version < VERSION && make) {
      // Another process may have made them since.
      inTransaction(() -> make(version()));
      version = VERSION;
    }
    tablesVersion = version;
  }

  private void make(long version) throws SQLException {
    if (version == VERSION) {
      return;
    }
    for (String statement : statements(version)) {
      execute(statement);
    }
  }

  private List<String> statements(long version) {
    if (version == 0) {
      return database.make(TABLES, VERSION);
    }
    List<String> lacking =
        version == 1 ? List.of(CONFIGURATIONS, ImportedLogs.TABLE) : List.of(ImportedLogs.TABLE);
    return database.change(lacking, VERSION);
  }

  /** 0 where there are no tables. */
  private long version() throws SQLException {
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
    return version;
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

  /**
   * A run and the application that it is counted for.
   *
   * @param configuration that it was made in, by its number in DerbyhatS, Table 6.3; 0 for a run
   *     that nobody placed
   */
  public record NamedRun(RunRecord run, String application, int configuration) {
    /** A run that nobody placed. */
    public NamedRun(RunRecord run, String application) {
      this(run, application, 0);
    }

    /**
     * One under the name that all runs of its application share.
     *
     * @param application null for the run's own
     */
    public static NamedRun of(RunRecord run, String application, int configuration) {
      String name = application == null ? run.application() : application;
      return new NamedRun(run, ApplicationName.of(name), configuration);
    }
  }

  /**
   * Adds runs, all or none.
   *
   * @return how many of them were not there before
   */
  public int add(List<NamedRun> runs) {
    return add(runs, List.of());
  }

  /**
   * The same, and notes logs as imported whole, all or nothing.
   *
   * @param prints of the logs that the runs are of
   */
  int add(List<NamedRun> runs, List<String> prints) {
    int[] added = new int[1];
    try {
      inTransaction(
          () -> {
            for (NamedRun run : runs) {
              added[0] += add(run) ? 1 : 0;
            }
            ImportedLogs.note(connection, prints);
          });
    } catch (SQLException e) {
      throw database.failure(e);
    }
    return added[0];
  }

  /** Whether a log that looks so was imported whole. */
  boolean hasImported(String print) {
    try {
      return tablesVersion == VERSION && ImportedLogs.has(connection, print);
    } catch (SQLException e) {
      throw database.failure(e);
    }
  }

  private boolean add(NamedRun named) throws SQLException {
    RunRecord run = named.run();
    long number = addRun(named);
    for (int place = 0; number != 0 && place < run.phases().size(); place++) {
      add(number, place, run.phase(place));
    }
    if (named.configuration() != 0) {
      configure(named);
    }
    return number != 0;
  }

  /** The number of the new row; 0 where the run is there already. */
  private long addRun(NamedRun named) throws SQLException {
    RunRecord run = named.run();
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO run (engine, id, application, submit_millis, start_millis, end_millis,"
                + " succeeded) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
                + " RETURNING number")) {
      fill(
          insert,
          run.engine().word(),
          id(run),
          named.application(),
          run.submitMillis(),
          run.startMillis(),
          run.endMillis(),
          run.succeeded() ? 1 : 0);
      try (ResultSet row = insert.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  private static String id(RunRecord run) {
    return run.id().length() > KEY_CHARACTERS_MAX
        ? run.id().substring(0, KEY_CHARACTERS_MAX)
        : run.id();
  }

  /** Also of a run that an import added first. */
  private void configure(NamedRun named) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO configuration (run, number) SELECT number, CAST(? AS INTEGER) FROM run"
                + " WHERE engine = ? AND id = ? AND submit_millis = ? ON CONFLICT DO NOTHING")) {
      RunRecord run = named.run();
      fill(insert, named.configuration(), run.engine().word(), id(run), run.submitMillis());
      insert.executeUpdate();
    }
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
    try {
      // PostgreSQL's driver fetches all rows at once, but in a transaction.
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(FETCH_ROWS);
        try (ResultSet row = statement.executeQuery(RunRows.query(tablesVersion > 1))) {
          RunRows.read(row, reader);
        }
      }
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw database.failure(e);
    }
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
