package io.tierwise.benchmarks.popularity;

import io.tierwise.benchmarks.FigureRanges;
import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseFeatures;
import io.tierwise.policies.popularity.UseWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * How long each predictor takes for a window of ten million files and twenty million reads, on one
 * thread. Prints a table and, as its last line, one JSON object.
 */
public final class PredictBench {
  private static final int FILES = 10_000_000;
  private static final int READS = 20_000_000;
  private static final int ROUNDS = 5;
  private static final double WINDOW_SECONDS = 3600;
  private static final int TREES = 40;

  /** Of a tree with four levels. */
  private static final int BRANCHES = 15;

  private PredictBench() {}

  /** The only argument: the file of ranges. */
  public static void main(String[] arguments) throws IOException {
    FigureRanges ranges = FigureRanges.read(Path.of(arguments[0]));
    UseWindow window = window();
    double[] predicted = new double[FILES];
    double slowest = 0;
    System.out.printf("%-12s %10s   of %d windows%n", "predictor", "seconds", ROUNDS);
    for (var provider : PopularityPredictors.all()) {
      PopularityPredictor predictor = PopularityPredictors.parse(provider.name(), model -> trees());
      PopularityState state = new PopularityState();
      double[] seconds = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        long start = System.nanoTime();
        predictor.predict(window, state, predicted);
        seconds[round] = (System.nanoTime() - start) / 1e9;
      }
      Arrays.sort(seconds);
      slowest = Math.max(slowest, seconds[ROUNDS - 1]);
      System.out.printf(
          Locale.ROOT,
          "%-12s %10.2f   (%.2f to %.2f)%n",
          provider.name(),
          seconds[ROUNDS / 2],
          seconds[0],
          seconds[ROUNDS - 1]);
    }
    System.out.printf(Locale.ROOT, "{\"predict_ten_million_seconds\": %.2f}%n", slowest);
    List<String> misses = ranges.misses(Map.of("predict_ten_million_seconds", slowest));
    misses.forEach(System.err::println);
    System.exit(misses.isEmpty() ? 0 : 1);
  }

  /** As many and as deep as are ever fitted, each branch by a drawn feature. */
  private static DecisionTrees trees() {
    SplittableRandom random = new SplittableRandom(2);
    DecisionTrees.Nodes nodes = new DecisionTrees.Nodes();
    for (int tree = 0; tree < TREES; tree++) {
      nodes.beginTree();
      for (int node = 0; node < BRANCHES; node++) {
        int feature = random.nextInt(UseFeatures.count());
        nodes.branch(feature, 1 + random.nextInt(100), 2 * node + 1, 2 * node + 2);
      }
      for (int leaf = 0; leaf <= BRANCHES; leaf++) {
        nodes.leaf(random.nextInt(100) / 100f);
      }
    }
    return nodes.trees(WINDOW_SECONDS);
  }

  /**
   * Half of the reads are of a thousandth of the files, and all of a file's are near each other.
   */
  private static UseWindow window() {
    UseWindow window = new UseWindow(FILES);
    window.begin(0, WINDOW_SECONDS);
    SplittableRandom random = new SplittableRandom(1);
    for (int file = 0; file < FILES; file++) {
      window.keep(file, 1 + random.nextInt(100));
    }
    for (int read = 0; read < READS; read++) {
      int file = read % 2 == 0 ? random.nextInt(FILES / 1000) : random.nextInt(FILES);
      window.read(file, read * WINDOW_SECONDS / READS, 1 + random.nextInt(8));
    }
    window.foresee(window);
    return window;
  }
}
