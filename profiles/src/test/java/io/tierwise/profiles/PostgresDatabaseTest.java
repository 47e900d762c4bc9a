package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog on a real PostgreSQL server, as users with few rights and wrong passwords meet it. */
class PostgresDatabaseTest extends RunCatalogContract {
  private static final String ROLE_PASSWORD = "s3cret too";

  @TempDir private static Path serversFolder;
  private static PostgresServer server;
  private String name;

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.start(serversFolder);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void makeDatabase() throws SQLException {
    name = server.newDatabase();
  }

  @Override
  String where() {
    return server.url(name);
  }

  @Override
  CatalogDatabase database(int waitMillis) {
    return new PostgresDatabase(PostgresUrl.parse(where(), variable -> null), waitMillis);
  }

  @Override
  Connection foreign() throws SQLException {
    return server.connect(name);
  }

  @Override
  List<String> lockAll() {
    return List.of("BEGIN", "LOCK TABLE tierwise.run");
  }

  @Override
  List<String> makeNewer() {
    return List.of("UPDATE tierwise.catalog_version SET version = version + 1");
  }

  @Override
  List<String> makeOlder(int version) {
    return List.of(
        "DROP TABLE tierwise.imported_log",
        version == 1 ? "DROP TABLE tierwise.configuration" : "SELECT 1",
        "UPDATE tierwise.catalog_version SET version = " + version);
  }

  /** What the server answers is the same as when its file system has no room. */
  @Override
  RunCatalog openFull() throws SQLException {
    execute(
        List.of(
            "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN"
                + " IF (SELECT COUNT(*) FROM tierwise.host) > 100 THEN"
                + " RAISE 'could not extend file' USING ERRCODE = '53100'; END IF;"
                + " RETURN NEW; END$$",
            "CREATE TRIGGER no_room BEFORE INSERT ON tierwise.host"
                + " FOR EACH ROW EXECUTE FUNCTION public.no_room()"));
    return RunCatalog.open(where());
  }

  @Override
  void makeRoom() throws SQLException {
    execute(List.of("DROP TRIGGER no_room ON tierwise.host"));
  }

  /** Makes a role that may log in, and gives it rights; the URL for it. */
  private String role(String... rights) throws SQLException {
    server.execute(name, "CREATE ROLE " + name + " LOGIN PASSWORD '" + ROLE_PASSWORD + "'");
    for (String right : rights) {
      server.execute(name, "GRANT " + right + " TO " + name);
    }
    return server.url(name, ROLE_PASSWORD, name);
  }

  private static AbstractThrowableAssert<?, ?> assertImportRefused(String where) {
    return assertRefused(() -> add(where, 10, 20));
  }

  private static int add(String where, int from, int to) {
    try (RunCatalog catalog = RunCatalog.openOrMake(where)) {
      return catalog.add(runs(from, to));
    }
  }

  private static int applications(String where) {
    try (RunCatalog catalog = RunCatalog.open(where)) {
      return Profiles.of(catalog).all().applications().size();
    }
  }

  @Test
  void saysWhyItCannotBeReached() {
    String down = "postgresql://me:s3cret@127.0.0.1:1/" + name;
    ThrowingCallable[] calls = {() -> RunCatalog.open(down), () -> RunCatalog.openOrMake(down)};
    for (ThrowingCallable call : calls) {
      assertRefused(call)
          .hasMessage(
              "the catalog postgresql://me@127.0.0.1:1/"
                  + name
                  + " does not answer: check host and port, and that its server is up");
    }
    assertImportRefused(server.url("gone")).hasMessageContaining("/gone is not there: have the");
    assertImportRefused(server.url("postgres", "s3cret of another", name))
        .hasMessageContaining("does not let you in (FATAL: password authentication failed")
        .hasMessageEndingWith("give the password by PGPASSWORD or ~/.pgpass");
    assertImportRefused(server.url("nobody", "s3cret", name))
        .hasMessageContaining("does not let you in");
    assertImportRefused(withoutPassword()).hasMessageContaining("does not let you in");
  }

  private String withoutPassword() {
    return where().replaceFirst(":[^:@/]*@", "@");
  }

  @Test
  void takesThePasswordFromWherePsqlDoes() throws Exception {
    add(where(), 0, 10);
    String password =
        PostgresUrl.parse(where(), variable -> null).settings().getProperty("password");
    Map<String, String> environment = Map.of("PGPASSWORD", password, "PGUSER", "postgres");
    String plain = withoutPassword().replace("postgres@", "");
    CatalogDatabase database =
        new PostgresDatabase(PostgresUrl.parse(plain, environment::get), 1000);
    RunCatalog.open(database, false).close();

    Path file = folder.resolve("pgpass");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, "*:*:" + name + ":postgres:" + password.replace(":", "\\:") + "\n");
    System.setProperty("org.postgresql.pgpassfile", file.toString());
    try {
      assertThat(applications(withoutPassword())).isOne();
    } finally {
      System.clearProperty("org.postgresql.pgpassfile");
    }
  }

  @Test
  void readersNeedSelectAlone() throws SQLException {
    add(where(), 0, 10);
    String reader = role();
    assertRefused(() -> applications(reader))
        .hasMessageContaining("does not let you do that (ERROR: permission denied for schema")
        .hasMessageEndingWith("others USAGE and SELECT");
    server.execute(
        name,
        "GRANT USAGE ON SCHEMA tierwise TO " + name,
        "GRANT SELECT ON ALL TABLES IN SCHEMA tierwise TO " + name);

    assertThat(applications(reader)).isOne();
    try (RunCatalog catalog = RunCatalog.open(reader)) {
      assertThat(Profiles.of(catalog).one("sort", null, catalog).applications()).hasSize(1);
    }
    assertImportRefused(reader).hasMessageContaining("permission denied for table run");
  }

  @Test
  void importersNeedSelectAndInsertAlone() throws SQLException {
    add(where(), 0, 10);
    String importer =
        role("USAGE ON SCHEMA tierwise", "SELECT, INSERT ON ALL TABLES IN SCHEMA tierwise");

    assertThat(add(importer, 5, 20)).isEqualTo(10);
  }

  @Test
  void theFirstImporterNeedsCreateOnTheDatabaseOrOnASchemaMadeForIt() throws SQLException {
    String importer = role();
    assertImportRefused(importer)
        .hasMessageContaining("does not let you do that (ERROR: permission denied for database")
        .hasMessageContaining("needs CREATE on the database, or on a schema tierwise made for it");
    server.execute(name, "CREATE SCHEMA tierwise AUTHORIZATION " + name);
    assertThat(add(importer, 0, 10)).isEqualTo(10);

    server.execute(name, "GRANT CREATE ON DATABASE " + name + " TO " + name);
    assertThat(add(importer + "?currentSchema=of_mine", 0, 10)).isEqualTo(10);
    assertThat(count()).as("of the other schema").isEqualTo(10);
  }

  @Test
  void aDatabaseThatMayOnlyBeReadIsReadAndNotWritten() throws SQLException {
    String fresh = server.newDatabase();
    add(where(), 0, 10);
    for (String each : List.of(fresh, name)) {
      server.execute(
          "postgres", "ALTER DATABASE " + each + " SET default_transaction_read_only = on");
    }

    assertThat(count()).isEqualTo(10);
    assertImportRefused(where()).hasMessageContaining("may only be read: import into a server");
    assertImportRefused(server.url(fresh)).hasMessageContaining("may only be read");
  }

  @Test
  void aServerThatDiesInTheMiddleLeavesNothingHalfAdded() throws Exception {
    add(where(), 0, 10);
    try (RunCatalog catalog = RunCatalog.open(where())) {
      assertRefused(() -> catalog.add(runs(10, 100, PostgresDatabaseTest::crash)))
          .hasMessageContaining("lost its server on the way: import again when that is back");
      assertRefused(() -> catalog.add(runs(10, 100))).hasMessageContaining("lost its server");
    }
    assertImportRefused(where()).hasMessageContaining("does not answer");
    server.restart();

    assertThat(count()).isEqualTo(10);
    assertThat(add(where(), 10, 100)).isEqualTo(90);
  }

  private static void crash() {
    try {
      server.crash();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It saw none, waited for the other's lock, and must not believe what it saw. */
  @Test
  void anImporterSeesTheTablesThatAnotherMadeWhileItWaited() throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try (Connection other = foreign();
        Statement statement = other.createStatement()) {
      statement.execute("SET search_path TO tierwise");
      statement.execute(database(0).begin());
      Future<Integer> waiting = pool.submit(() -> add(where(), 0, 10));
      awaitWaitingImporter();
      for (String each : database(0).make(RunCatalog.TABLES, RunCatalog.VERSION)) {
        statement.execute(each);
      }
      statement.execute("COMMIT");
      assertThat(waiting.get()).isEqualTo(10);
    } finally {
      pool.shutdown();
    }
  }

  private void awaitWaitingImporter() throws SQLException {
    try (Connection watcher = foreign()) {
      String waiting = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (CatalogDatabase.number(watcher, waiting) == 0) {
        assertThat(System.nanoTime()).as("an importer waits").isLessThan(deadline);
      }
    }
  }

  @Test
  void refusesAnotherProgramsTables() throws SQLException {
    execute(List.of("CREATE SCHEMA tierwise", "CREATE TABLE tierwise.run (miles INTEGER)"));
    assertImportRefused(where())
        .hasMessageContaining("has tables of another program in the schema tierwise")
        .hasMessageEndingWith("name another schema by ?currentSchema=NAME");

    execute(List.of("CREATE TABLE tierwise.catalog_version (number INTEGER)"));
    assertImportRefused(where()).hasMessageContaining("has tables of another program");
  }
}
