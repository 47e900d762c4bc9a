package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that runs are kept in, also when others use it and when it is damaged. */
class RunCatalogTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("profiles.db");
  }

  private Connection foreign() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file());
  }

  private void execute(String statement) throws SQLException {
    try (Connection connection = foreign();
        Statement each = connection.createStatement()) {
      each.execute(statement);
    }
  }

  private static List<RunCatalog.NamedRun> runs(int from, int to) {
    List<RunCatalog.NamedRun> runs = new ArrayList<>();
    for (int i = from; i < to; i++) {
      runs.add(Runs.run("sort", i, 1000L * i, i));
    }
    return runs;
  }

  private int count() {
    int[] count = new int[1];
    try (RunCatalog catalog = RunCatalog.open(file())) {
      catalog.eachRun(run -> count[0]++);
    }
    return count[0];
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable call) {
    AbstractThrowableAssert<?, ?> refused =
        assertThatThrownBy(call).isInstanceOf(OperatorException.class);
    refused.message().doesNotContain("\n");
    return refused;
  }

  @Test
  void aRunThatIsAddedAgainCountsOnce() {
    try (RunCatalog catalog = RunCatalog.openOrMake(file())) {
      assertThat(catalog.add(runs(1, 10))).isEqualTo(9);
      assertThat(catalog.add(runs(5, 12))).isEqualTo(2);
    }
    try (RunCatalog catalog = RunCatalog.openOrMake(file())) {
      assertThat(catalog.add(runs(1, 12))).isZero();
    }

    assertThat(count()).isEqualTo(11);
  }

  @Test
  void makesTheFoldersAboveIt() {
    Path deep = folder.resolve("a b/c?d%20#e/profiles.db");
    RunCatalog.openOrMake(deep).close();

    assertThat(deep).isNotEmptyFile();
  }

  @Test
  void importersAtOnceLoseNothing() throws Exception {
    int importers = 4;
    ExecutorService pool = Executors.newFixedThreadPool(importers);
    List<Future<Integer>> added = new ArrayList<>();
    for (int i = 0; i < importers; i++) {
      added.add(pool.submit(importer()));
    }
    pool.shutdown();
    int sum = 0;
    for (Future<Integer> each : added) {
      sum += each.get();
    }

    assertThat(sum).as("each run is new to one of them").isEqualTo(200);
    assertThat(count()).isEqualTo(200);
  }

  /** Each makes the tables, if it is first, and adds the same runs in small batches. */
  private Callable<Integer> importer() {
    return () -> {
      int sum = 0;
      try (RunCatalog catalog = RunCatalog.openOrMake(file())) {
        for (int i = 0; i < 200; i += 20) {
          sum += catalog.add(runs(i, i + 20));
        }
      }
      return sum;
    };
  }

  @Test
  void saysThatItIsLocked() throws SQLException {
    RunCatalog.openOrMake(file()).close();
    try (Connection other = foreign();
        Statement statement = other.createStatement()) {
      statement.execute("BEGIN EXCLUSIVE");
      assertRefused(() -> RunCatalog.open(file(), 50))
          .hasMessage(
              "the catalog "
                  + file()
                  + " is locked by another process: try again when that is done");
      statement.execute("ROLLBACK");
    }

    assertThat(count()).isZero();
  }

  @Test
  void aFullFileSystemLeavesNothingHalfAdded() throws SQLException {
    try (RunCatalog catalog = RunCatalog.openOrMake(file())) {
      catalog.add(runs(0, 10));
    }
    Connection small = foreign();
    try (RunCatalog catalog = RunCatalog.of(file(), small)) {
      try (Statement statement = small.createStatement()) {
        // What SQLite answers is the same as when its file system has no room.
        statement.execute("PRAGMA max_page_count = 12");
      }
      assertRefused(() -> catalog.add(runs(10, 500))).hasMessageContaining("file system is full");
    }

    assertThat(count()).isEqualTo(10);
    try (RunCatalog catalog = RunCatalog.open(file())) {
      assertThat(catalog.add(runs(10, 500))).isEqualTo(490);
    }
  }

  @Test
  void saysThatItIsDamaged() throws IOException {
    try (RunCatalog catalog = RunCatalog.openOrMake(file())) {
      catalog.add(runs(0, 300));
    }
    byte[] whole = Files.readAllBytes(file());
    byte[] damaged = whole.clone();
    java.util.Arrays.fill(damaged, 4096, damaged.length, (byte) 0xab);
    Files.write(file(), damaged);
    assertRefused(this::count).hasMessageContaining("is damaged, or no catalog");

    Files.writeString(file(), "id,name\n".repeat(1000));
    assertRefused(this::count).hasMessageContaining("is damaged, or no catalog");

    Files.write(file(), java.util.Arrays.copyOf(whole, whole.length / 2));
    assertRefused(this::count).hasMessageContaining("is damaged, or no catalog");
  }

  @Test
  void refusesANewerVersionAndLeavesItAsItIs() throws SQLException, IOException {
    RunCatalog.openOrMake(file()).close();
    execute("PRAGMA user_version = " + (RunCatalog.VERSION + 1));
    byte[] before = Files.readAllBytes(file());

    assertRefused(() -> RunCatalog.openOrMake(file()))
        .hasMessageContaining("is of version 2, written by a newer Tierwise")
        .hasMessageContaining("knows version 1");
    assertThat(Files.readAllBytes(file())).isEqualTo(before);
  }

  @Test
  void refusesAnotherProgramsFile() throws SQLException {
    execute("CREATE TABLE bookmarks (url TEXT)");

    assertRefused(() -> RunCatalog.openOrMake(file()))
        .hasMessage(file() + " is another program's SQLite file: name a catalog by --catalog");
  }

  @Test
  void saysThatThereIsNone() {
    assertRefused(() -> RunCatalog.open(file())).hasMessageContaining("there is no catalog");
    assertThat(file()).doesNotExist();
    assertRefused(() -> RunCatalog.openOrMake(folder)).hasMessageContaining("cannot be opened");
  }

  @Test
  void namesOfAnyKindComeBackAsTheyAre() {
    String name = "a'); DROP TABLE run; --\n\u0000\u001b[31m\uD800 ä";
    try (RunCatalog catalog = RunCatalog.openOrMake(file())) {
      assertThat(catalog.add(List.of(Runs.run(name, 1, 5, 5)))).isEqualTo(1);
      assertThat(catalog.add(List.of(Runs.run(name, 1, 5, 5)))).isZero();
    }

    assertThat(count()).isEqualTo(1);
  }
}
