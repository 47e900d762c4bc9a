package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Importers are processes, and processes are killed. */
class KilledImporterTest {
  private static final int BATCH_RUNS = 20;
  private static final int RUNS = 10 * BATCH_RUNS;

  @TempDir private Path folder;

  /** Adds runs in batches, those of an application of its own. */
  static final class Importer {
    private Importer() {}

    public static void main(String[] arguments) {
      try (RunCatalog catalog = RunCatalog.openOrMake(Path.of(arguments[0]))) {
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
            file().toString(),
            Integer.toString(number))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private Path file() {
    return folder.resolve("profiles.db");
  }

  /** Wherever the kill falls, also behind the end, what is there is whole. */
  @Test
  void leavesWholeBatchesAndTheOthersGoOn() throws Exception {
    Process victim = importer(0);
    Process other = importer(1);
    try (BufferedReader said = victim.inputReader()) {
      assertThat(said.readLine()).isEqualTo("added");
    } finally {
      victim.destroyForcibly().waitFor();
    }

    assertThat(other.waitFor()).isZero();
    TreeMap<String, Integer> runs = new TreeMap<>();
    try (RunCatalog catalog = RunCatalog.open(file())) {
      catalog.eachRun(run -> runs.merge(run.application().application(), 1, Integer::sum));
    }
    assertThat(runs.get("app 0")).isPositive().isLessThanOrEqualTo(RUNS);
    assertThat(runs.get("app 0") % BATCH_RUNS).isZero();
    assertThat(runs.get("app 1")).isEqualTo(RUNS);

    assertThat(importer(0).waitFor()).isZero();
    try (RunCatalog catalog = RunCatalog.open(file())) {
      runs.clear();
      catalog.eachRun(run -> runs.merge(run.application().application(), 1, Integer::sum));
    }
    assertThat(runs.get("app 0")).isEqualTo(RUNS);
  }
}
