package io.tierwise.profiles;

import io.tierwise.core.message.OperatorException;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.sqlite.SQLiteConfig;

/**
 * Runs in one SQLite file, each once however often it is added. Several processes may add and read
 * at the same time; what {@link #add} has returned from is durable, and a process that is killed
 * leaves nothing half-added.
 */
public final class RunCatalog implements AutoCloseable {
  /** The version of the tables; a catalog of a later one is refused. */
  static final int VERSION = 1;

  /** All engines that a run can be of. */
  static final List<String> ENGINES =
      Arrays.stream(RunRecord.Engine.values()).map(RunRecord.Engine::word).toList();

  /** Marks the file as ours among SQLite's: "Twpr". */
  static final int APPLICATION_ID = 0x54777072;

  /** Own: hundreds of batches of other importers, on a slow disk. */
  private static final int BUSY_MILLIS = 30_000;

  private static final int KEY_CHARACTERS_MAX = 200;

  private static final List<String> TABLES =
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

  private final Path file;
  private final Connection connection;

  private RunCatalog(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /** Opens a catalog, or makes an empty one, with the folders above it. */
  public static RunCatalog openOrMake(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
    } catch (IOException e) {
      throw OperatorException.cluster(
          "no folder can be made for the catalog " + file + ": " + e, e);
    }
    return open(file, BUSY_MILLIS);
  }

  /** Opens a catalog that is there. */
  public static RunCatalog open(Path file) {
    if (!Files.exists(file)) {
      throw OperatorException.badInput(
          "there is no catalog " + file + ": 'tierwise profile import' makes one");
    }
    return open(file, BUSY_MILLIS);
  }

  static RunCatalog open(Path file, int busyMillis) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(busyMillis);
    try {
      // As a URI, so that no sign in the name is read as an option.
      return of(file, config.createConnection("jdbc:sqlite:" + file.toAbsolutePath().toUri()));
    } catch (SQLException e) {
      throw CatalogFailure.of(file, e);
    }
  }

  /** The catalog behind a connection, which is closed with it. */
  static RunCatalog of(Path file, Connection connection) throws SQLException {
    RunCatalog catalog = new RunCatalog(file, connection);
    boolean ready = false;
    try {
      catalog.requireTables();
      ready = true;
      return catalog;
    } finally {
      if (!ready) {
        connection.close();
      }
    }
  }

  private void requireTables() throws SQLException {
    if (isOurs()) {
      return;
    }
    inTransaction(
        () -> {
          // Another process may have made them since.
          if (isOurs()) {
            return;
          }
          for (String table : TABLES) {
            execute(table);
          }
          execute("PRAGMA application_id = " + APPLICATION_ID);
          execute("PRAGMA user_version = " + VERSION);
        });
  }

  /** Whether the tables are there; false for an empty file. */
  private boolean isOurs() throws SQLException {
    long version = number("PRAGMA user_version");
    long application = number("PRAGMA application_id");
    if (application == APPLICATION_ID && version > VERSION) {
      throw OperatorException.cluster(
          "the catalog "
              + file
              + " is of version "
              + version
              + ", written by a newer Tierwise: this one knows version "
              + VERSION
              + "; use that one, or name another catalog by --catalog",
          null);
    }
    if (application == APPLICATION_ID) {
      return true;
    }
    if (application != 0 || version != 0 || number("SELECT COUNT(*) FROM sqlite_master") > 0) {
      throw OperatorException.badInput(
          file + " is another program's SQLite file: name a catalog by --catalog");
    }
    return false;
  }

  private long number(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @FunctionalInterface
  private interface Work {
    void run() throws SQLException;
  }

  /** By statements of our own: the driver's commit begins the next transaction, and locks. */
  private void inTransaction(Work work) throws SQLException {
    execute("BEGIN IMMEDIATE");
    boolean done = false;
    try {
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
      // SQLite has rolled back by itself, as it does when its file system is full.
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
      throw CatalogFailure.of(file, e);
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
        insert.executeUpdate();
      }
    }
  }

  private static void fill(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Hands all runs on, in the order in which they were submitted. */
  void eachRun(Consumer<RunFigures> reader) {
    String query =
        "SELECT r.number, r.engine, r.application, r.succeeded, r.submit_millis,"
            + " r.end_millis - r.start_millis, p.name, p.tasks, p.end_millis - p.start_millis,"
            + " p.task_millis, p.read_bytes, p.written_bytes, p.spilled_bytes, p.shuffled_bytes"
            + " FROM run r JOIN phase p ON p.run = r.number"
            + " ORDER BY r.submit_millis, r.number, p.place";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
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
    } catch (SQLException e) {
      throw CatalogFailure.of(file, e);
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
      throw CatalogFailure.of(file, e);
    }
    return hosts;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw CatalogFailure.of(file, e);
    }
  }
}
