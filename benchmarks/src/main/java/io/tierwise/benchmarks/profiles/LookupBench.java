package io.tierwise.benchmarks.profiles;

import io.tierwise.benchmarks.FigureRanges;
import io.tierwise.history.Phase;
import io.tierwise.history.RunRecord;
import io.tierwise.profiles.Prediction;
import io.tierwise.profiles.Profiles;
import io.tierwise.profiles.RunCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * How long a prediction takes with the profiles of ten thousand applications in memory, each of ten
 * runs of three phases, and how long they take to load. Prints a table and, as its last line, one
 * JSON object.
 */
public final class LookupBench {
  private static final int APPLICATIONS = 10_000;
  private static final int RUNS = 10;
  private static final int LOOKUPS = 1_000_000;
  private static final long GIB = 1L << 30;

  private LookupBench() {}

  /**
   * The file of ranges, a folder for the catalog, and the URL of an empty PostgreSQL database to
   * have it there instead.
   */
  public static void main(String[] arguments) throws IOException {
    FigureRanges ranges = FigureRanges.read(Path.of(arguments[0]));
    Path file = Path.of(arguments[1]).resolve("profiles.db");
    Files.deleteIfExists(file);
    String where = arguments.length > 2 ? arguments[2] : file.toString();
    SplittableRandom random = new SplittableRandom(1);
    Profiles profiles;
    double loadSeconds;
    try (RunCatalog catalog = RunCatalog.openOrMake(where)) {
      for (int run = 0; run < RUNS; run++) {
        catalog.add(runs(run, random));
      }
      long start = System.nanoTime();
      profiles = Profiles.of(catalog);
      loadSeconds = (System.nanoTime() - start) / 1e9;
    }
    double[] micros = lookups(profiles, random);
    double slow = micros[(int) (0.999 * LOOKUPS)];
    System.out.printf(
        Locale.ROOT,
        "loaded %,d runs of %,d applications in %.2f s%n"
            + "prediction: median %.2f us, 99.9%% %.2f us, slowest %.0f us, of %,d%n",
        APPLICATIONS * RUNS,
        APPLICATIONS,
        loadSeconds,
        micros[LOOKUPS / 2],
        slow,
        micros[LOOKUPS - 1],
        LOOKUPS);
    System.out.printf(Locale.ROOT, "{\"profile_lookup_micros\": %.2f}%n", slow);
    List<String> misses = ranges.misses(Map.of("profile_lookup_micros", slow));
    misses.forEach(System.err::println);
    System.exit(misses.isEmpty() ? 0 : 1);
  }

  private static String name(int application) {
    return "nightly report of department " + application % 1000 + ", part " + application / 1000;
  }

  /** Microseconds of each, shortest first. */
  private static double[] lookups(Profiles profiles, SplittableRandom random) {
    double[] micros = new double[LOOKUPS];
    double sum = 0;
    for (int i = 0; i < LOOKUPS; i++) {
      String name = name(random.nextInt(APPLICATIONS));
      long input = random.nextLong(GIB, 100 * GIB);
      long start = System.nanoTime();
      Prediction prediction = profiles.find(name, null).predict(input);
      micros[i] = (System.nanoTime() - start) / 1e3;
      sum += prediction.seconds().expected();
    }
    if (!(sum > 0)) {
      throw new IllegalStateException("nothing was predicted");
    }
    Arrays.sort(micros);
    return micros;
  }

  /** A run of each application. */
  private static List<RunCatalog.NamedRun> runs(int run, SplittableRandom random) {
    List<RunCatalog.NamedRun> runs = new ArrayList<>();
    for (int i = 0; i < APPLICATIONS; i++) {
      long bytes = random.nextLong(GIB, 50 * GIB);
      long start = 1_700_000_000_000L + run * 86_400_000L + i;
      long millis = 20_000 + bytes / 200_000 + random.nextInt(5_000);
      List<Phase> phases = new ArrayList<>();
      for (String phase : List.of("map", "shuffle", "reduce")) {
        phases.add(
            new Phase(
                phase,
                bytes >> 27,
                start,
                start + millis,
                10 * millis,
                millis * 1_000_000,
                phase.equals("map") ? bytes : 0,
                bytes / 20,
                bytes / 3,
                bytes / 3,
                Map.of("node" + random.nextInt(100), 1L)));
      }
      runs.add(
          new RunCatalog.NamedRun(
              new RunRecord(
                  RunRecord.Engine.MAPREDUCE,
                  "job_" + i + "_" + run,
                  name(i),
                  start,
                  start,
                  start + millis,
                  true,
                  phases),
              name(i)));
    }
    return runs;
  }
}
