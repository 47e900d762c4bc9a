package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that runs are kept in, also when it is damaged. */
class SqliteFileTest extends RunCatalogContract {
  private Path file() {
    return folder.resolve("profiles.db");
  }

  @Override
  String where() {
    return file().toString();
  }

  @Override
  CatalogDatabase database(int waitMillis) {
    return new SqliteFile(where(), waitMillis);
  }

  @Override
  Connection foreign() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file());
  }

  @Override
  List<String> lockAll() {
    return List.of("BEGIN EXCLUSIVE");
  }

  @Override
  List<String> makeNewer() {
    return List.of("PRAGMA user_version = " + (RunCatalog.VERSION + 1));
  }

  @Override
  List<String> makeOlder(int version) {
    return List.of(
        "DROP TABLE imported_log",
        version == 1 ? "DROP TABLE configuration" : "SELECT 1",
        "PRAGMA user_version = " + version);
  }

  /** What SQLite answers is the same as when its file system has no room. */
  @Override
  RunCatalog openFull() {
    return RunCatalog.open(
        new SqliteFile(where(), CatalogDatabase.WAIT_MILLIS) {
          @Override
          public Connection connect(boolean make) throws SQLException {
            Connection small = super.connect(make);
            try (Statement statement = small.createStatement()) {
              statement.execute("PRAGMA max_page_count = 12");
            }
            return small;
          }
        },
        false);
  }

  /** The limit is its connection's. */
  @Override
  void makeRoom() {}

  /**
   * An importer that looks while another one makes the tables takes them for no other program's.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void tablesThatAnotherMakesWhileItLooksAreNoOtherPrograms(int statement) throws SQLException {
    SqliteFile database = new SqliteFile(where(), CatalogDatabase.WAIT_MILLIS);
    try (Connection connection = database.connect(true)) {
      Connection watched =
          beforeStatement(statement, connection, () -> RunCatalog.openOrMake(where()).close());

      assertThat(database.version(watched)).isIn(0L, (long) RunCatalog.VERSION);
    }
  }

  /** Does something just before a connection gets its statement of that number. */
  private static Connection beforeStatement(int number, Connection connection, Runnable other) {
    AtomicInteger count = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            SqliteFileTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().endsWith("Statement") && count.incrementAndGet() == number) {
                other.run();
              }
              return method.invoke(connection, arguments);
            });
  }

  @Test
  void makesTheFoldersAboveIt() {
    Path deep = folder.resolve("a b/c?d%20#e/profiles.db");
    RunCatalog.openOrMake(deep.toString()).close();

    assertThat(deep).isNotEmptyFile();
  }

  @Test
  void saysThatItIsDamaged() throws IOException {
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      catalog.add(runs(0, 300));
    }
    byte[] whole = Files.readAllBytes(file());
    byte[] damaged = whole.clone();
    Arrays.fill(damaged, 4096, damaged.length, (byte) 0xab);
    Files.write(file(), damaged);
    assertRefused(this::count).hasMessageContaining("is damaged, or no catalog");

    Files.writeString(file(), "id,name\n".repeat(1000));
    assertRefused(this::count).hasMessageContaining("is damaged, or no catalog");

    Files.write(file(), Arrays.copyOf(whole, whole.length / 2));
    assertRefused(this::count).hasMessageContaining("is damaged, or no catalog");
  }

  @Test
  void leavesANewerVersionAsItIs() throws SQLException, IOException {
    RunCatalog.openOrMake(where()).close();
    execute(makeNewer());
    byte[] before = Files.readAllBytes(file());

    assertRefused(() -> RunCatalog.openOrMake(where()));
    assertThat(Files.readAllBytes(file())).isEqualTo(before);
  }

  @Test
  void refusesAnotherProgramsFile() throws SQLException {
    execute(List.of("CREATE TABLE bookmarks (url TEXT)"));

    assertRefused(() -> RunCatalog.openOrMake(where()))
        .hasMessage(file() + " is another program's SQLite file: name a catalog by --catalog");
  }

  @Test
  void makesNoFileToReadFrom() {
    assertRefused(() -> RunCatalog.open(where()));
    assertThat(file()).doesNotExist();
    assertRefused(() -> RunCatalog.openOrMake(folder.toString()))
        .hasMessageContaining("cannot be opened");
  }
}
