package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The promises of a catalog, whatever database it is in. */
abstract class RunCatalogContract {
  private static final int BATCH_RUNS = 20;
  private static final int RUNS = 10 * BATCH_RUNS;
  private static final int MOMENT_MILLIS = 50;

  @TempDir protected Path folder;

  /** A place where no catalog is yet. */
  abstract String where();

  /** What is at that place, for who waits no longer for locks. */
  abstract CatalogDatabase database(int waitMillis);

  /** Another program's connection to it. */
  abstract Connection foreign() throws SQLException;

  /** Statements by which another program keeps everybody off. */
  abstract List<String> lockAll();

  /** Statements by which the tables are those of a newer version. */
  abstract List<String> makeNewer();

  /** Statements by which the tables are those of an earlier version, 1 or 2. */
  abstract List<String> makeOlder(int version);

  /** The catalog in a database that takes no hundred more runs. */
  abstract RunCatalog openFull() throws SQLException;

  /** Makes room in it. */
  abstract void makeRoom() throws SQLException;

  final void execute(List<String> statements) throws SQLException {
    try (Connection connection = foreign()) {
      execute(connection, statements);
    }
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  static List<RunCatalog.NamedRun> runs(int from, int to) {
    List<RunCatalog.NamedRun> runs = new ArrayList<>();
    for (int i = from; i < to; i++) {
      runs.add(Runs.run("sort", i, 1000L * i, i));
    }
    return runs;
  }

  /** Runs between the last two of which something else happens. */
  static List<RunCatalog.NamedRun> runs(int from, int to, Runnable inTheMiddle) {
    List<RunCatalog.NamedRun> runs = runs(from, to);
    return new AbstractList<>() {
      @Override
      public RunCatalog.NamedRun get(int index) {
        if (index == size() - 1) {
          inTheMiddle.run();
        }
        return runs.get(index);
      }

      @Override
      public int size() {
        return runs.size();
      }
    };
  }

  /** Runs by application. */
  private static Map<String, Integer> counts(CatalogDatabase database) {
    Map<String, Integer> counts = new TreeMap<>();
    try (RunCatalog catalog = RunCatalog.open(database, false)) {
      catalog.eachRun(run -> counts.merge(run.application().application(), 1, Integer::sum));
    }
    return counts;
  }

  private Map<String, Integer> counts() {
    return counts(CatalogDatabase.at(where()));
  }

  final int count() {
    return counts().values().stream().mapToInt(Integer::intValue).sum();
  }

  static AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable call) {
    AbstractThrowableAssert<?, ?> refused =
        assertThatThrownBy(call).isInstanceOf(OperatorException.class);
    refused.message().doesNotContain("\n").doesNotContain("s3cret");
    return refused;
  }

  @Test
  void aRunThatIsAddedAgainCountsOnce() {
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      assertThat(catalog.add(runs(1, 10))).isEqualTo(9);
      assertThat(catalog.add(runs(5, 12))).isEqualTo(2);
    }
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      assertThat(catalog.add(runs(1, 12))).isZero();
    }

    assertThat(count()).isEqualTo(11);
  }

  @Test
  void figuresComeBackAsTheyWere() {
    long bytes = (1L << 60) - 1;
    List<RunFigures> read = new ArrayList<>();
    Map<String, Long> hosts;
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      catalog.add(List.of(Runs.run("sort", 2, bytes, 1.5, false), Runs.run("sort", 1, 10, 2)));
      catalog.eachRun(read::add);
      hosts = catalog.hosts(read.get(0).application());
      assertThat(catalog.add(runs(3, 4))).as("added after reading").isOne();
    }

    assertThat(read)
        .containsExactly(
            figures(true, 1, 2, new RunFigures.PhaseFigures("map", 2, 2, 4, 10, 1, 5, 0)),
            figures(
                false,
                2,
                1.5,
                new RunFigures.PhaseFigures("map", 2, 1.5, 3, bytes, bytes / 10, bytes / 2, 0)));
    assertThat(hosts).containsExactly(Map.entry("n1", 2L), Map.entry("n2", 2L));
  }

  private static RunFigures figures(
      boolean succeeded, int day, double seconds, RunFigures.PhaseFigures phase) {
    ApplicationKey sort = new ApplicationKey("mapreduce", "sort");
    return new RunFigures(sort, 0, succeeded, day * 86_400_000L, seconds, List.of(phase));
  }

  @Test
  void importersAtOnceLoseNothing() throws Exception {
    int importers = 4;
    ExecutorService pool = Executors.newFixedThreadPool(importers);
    List<Future<Integer>> added = new ArrayList<>();
    for (int i = 0; i < importers; i++) {
      added.add(pool.submit(importer(i % 2 == 0)));
    }
    pool.shutdown();
    int sum = 0;
    for (Future<Integer> each : added) {
      sum += each.get();
    }

    assertThat(sum).as("each run is new to one of them").isEqualTo(RUNS);
    assertThat(count()).isEqualTo(RUNS);
  }

  /** Each makes the tables, if it is first, and adds the same runs in batches, in either order. */
  private Callable<Integer> importer(boolean forwards) {
    return () -> {
      int sum = 0;
      try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
        for (int i = 0; i < RUNS; i += BATCH_RUNS) {
          int from = forwards ? i : RUNS - BATCH_RUNS - i;
          sum += catalog.add(runs(from, from + BATCH_RUNS));
        }
      }
      return sum;
    };
  }

  @Test
  void anImporterKeepsOthersWaitingAndReadersSeeWhatWas() {
    try (RunCatalog first = RunCatalog.openOrMake(where());
        RunCatalog second = RunCatalog.open(database(MOMENT_MILLIS), true)) {
      first.add(runs(0, 10));
      Runnable inTheMiddle =
          () -> {
            assertThat(count()).isEqualTo(10);
            assertRefused(() -> second.add(runs(10, 20)))
                .hasMessageEndingWith(" is locked by another process: try again when that is done");
          };
      assertThat(first.add(runs(5, 20, inTheMiddle))).isEqualTo(10);
      assertThat(second.add(runs(10, 25))).isEqualTo(5);
    }

    assertThat(count()).isEqualTo(25);
  }

  @Test
  void saysThatItIsLocked() throws SQLException {
    RunCatalog.openOrMake(where()).close();
    try (Connection other = foreign()) {
      execute(other, lockAll());
      assertRefused(() -> counts(database(MOMENT_MILLIS)))
          .hasMessage(
              "the catalog "
                  + database(0).name()
                  + " is locked by another process: try again when that is done");
    }

    assertThat(count()).isZero();
  }

  @Test
  void aFullFileSystemLeavesNothingHalfAdded() throws SQLException {
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      catalog.add(runs(0, 10));
    }
    try (RunCatalog catalog = openFull()) {
      assertRefused(() -> catalog.add(runs(10, 500))).hasMessageContaining("file system is full");
    }

    assertThat(count()).isEqualTo(10);
    makeRoom();
    try (RunCatalog catalog = RunCatalog.open(where())) {
      assertThat(catalog.add(runs(10, 500))).isEqualTo(490);
    }
  }

  @Test
  void refusesANewerVersion() throws SQLException {
    RunCatalog.openOrMake(where()).close();
    execute(makeNewer());

    assertRefused(() -> RunCatalog.openOrMake(where()))
        .hasMessageContaining("is of version 4, written by a newer Tierwise")
        .hasMessageContaining("knows version 3");
    assertRefused(this::count).hasMessageContaining("is of version 4");
  }

  private static RunCatalog.NamedRun placed(int number, double seconds, int configuration) {
    return RunCatalog.NamedRun.of(
        Runs.run("sort " + number, number, 1_000, seconds).run(), "sort", configuration);
  }

  /** Configurations of runs, in the order in which these were submitted. */
  private List<Integer> configurations() {
    List<Integer> read = new ArrayList<>();
    try (RunCatalog catalog = RunCatalog.open(where())) {
      catalog.eachRun(run -> read.add(run.configuration()));
    }
    return read;
  }

  @Test
  void runsKeepTheirConfigurationWhoeverAddsThemFirst() {
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      catalog.add(List.of(placed(1, 40, 1), placed(2, 10, 2), placed(3, 30, 0)));
      assertThat(catalog.add(List.of(placed(3, 30, 3), placed(2, 10, 0)))).isZero();
    }
    assertThat(configurations()).containsExactly(1, 2, 3);

    try (RunCatalog catalog = RunCatalog.open(where())) {
      Profiles profiles = Profiles.of(catalog);
      ProfileRow row = profiles.one("sort", null, catalog).applications().get(0);
      assertThat(row.runs()).isOne();
      assertThat(row.configurations())
          .extracting(ProfileRow.ConfigurationRow::seconds)
          .containsExactly(40.0, 10.0, 30.0);
      Prediction next = profiles.find("sort", null).predict(2_000);
      assertThat(next.seconds().expected()).isEqualTo(80);
      assertThat(next.configurations())
          .extracting(each -> each.seconds().expected())
          .containsExactly(80.0, 20.0, 60.0);
    }
  }

  @Test
  void aCatalogOfTheFirstVersionIsReadAsItIsAndLearnsConfigurations() throws SQLException {
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      catalog.add(List.of(placed(1, 40, 0)));
    }
    execute(makeOlder(1));
    assertThat(configurations()).containsExactly(0);
    assertThat(configurations()).as("reading changed nothing").containsExactly(0);

    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      catalog.add(List.of(placed(2, 10, 2)));
    }
    assertThat(configurations()).containsExactly(0, 2);
  }

  @Test
  void aCatalogOfTheSecondVersionIsReadAsItIsAndLearnsLogs() throws SQLException {
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      assertThat(catalog.add(runs(1, 3), List.of("a", "b", "a"))).isEqualTo(2);
    }
    execute(makeOlder(2));
    assertThat(count()).isEqualTo(2);
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      assertThat(catalog.hasImported("a")).isFalse();
      assertThat(catalog.add(runs(1, 3), List.of("a"))).as("known runs").isZero();
      assertThat(catalog.hasImported("a")).isTrue();
    }
  }

  @Test
  void saysThatThereIsNoneAndMakesNone() {
    for (int i = 0; i < 2; i++) {
      assertRefused(() -> RunCatalog.open(where()))
          .hasMessage(
              "there is no catalog "
                  + database(0).name()
                  + ": 'tierwise profile import' makes one");
    }
  }

  @Test
  void namesOfAnyKindAreKept() {
    String name = "a'); DROP TABLE run; --\n\u0000\u001b[31m\uD800 ä";
    try (RunCatalog catalog = RunCatalog.openOrMake(where())) {
      assertThat(catalog.add(List.of(Runs.run(name, 1, 5, 5)))).isEqualTo(1);
      assertThat(catalog.add(List.of(Runs.run(name, 1, 5, 5)))).isZero();
      assertThat(catalog.hosts(new ApplicationKey("mapreduce", name))).hasSize(2);
    }

    assertThat(counts()).containsOnlyKeys("a'); DROP TABLE run; --\n?\u001b[31m? ä");
  }

  /** Adds runs in batches, those of an application of its own. */
  static final class Importer {
    private Importer() {}

    public static void main(String[] arguments) {
      try (RunCatalog catalog = RunCatalog.openOrMake(arguments[0])) {
        int base = RUNS * Integer.parseInt(arguments[1]);
        for (int i = 0; i < RUNS; i += BATCH_RUNS) {
          List<RunCatalog.NamedRun> batch = new ArrayList<>();
          for (int number = base + i; number < base + i + BATCH_RUNS; number++) {
            batch.add(Runs.run("app " + arguments[1], number, number, 1));
          }
          catalog.add(batch);
          System.out.println("added");
        }
      }
    }
  }

  private Process importer(int number) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Importer.class.getName(),
            where(),
            Integer.toString(number))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Wherever the kill falls, also behind the end, what is there is whole. */
  @Test
  void aKilledImporterLeavesWholeBatchesAndTheOthersGoOn() throws Exception {
    Process victim = importer(0);
    Process other = importer(1);
    try (BufferedReader said = victim.inputReader()) {
      assertThat(said.readLine()).isEqualTo("added");
    } finally {
      victim.destroyForcibly().waitFor();
    }

    assertThat(other.waitFor()).isZero();
    Map<String, Integer> counts = counts();
    assertThat(counts.get("app 0")).isPositive().isLessThanOrEqualTo(RUNS);
    assertThat(counts.get("app 0") % BATCH_RUNS).isZero();
    assertThat(counts.get("app 1")).isEqualTo(RUNS);

    assertThat(importer(0).waitFor()).isZero();
    assertThat(counts().get("app 0")).isEqualTo(RUNS);
  }
}
