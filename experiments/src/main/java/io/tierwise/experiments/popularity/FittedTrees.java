package io.tierwise.experiments.popularity;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.profiles.popularity.TreeFile;
import io.tierwise.profiles.popularity.TreeLearner;
import io.tierwise.simulator.scenario.yaml.Quantity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Trees that were fitted to all windows of a trace or a log, and written into a file.
 *
 * @param rows that were learned from: a file at the end of a window
 */
public record FittedTrees(String file, double windowSeconds, int windows, long rows, int trees) {
  /**
   * Learning takes minutes: a file that cannot be written is told before.
   *
   * @throws OperatorException naming it and what stands in the way
   */
  public static void requireWritable(Path file) {
    String reason = whyNotWritable(file);
    if (reason != null) {
      throw OperatorException.badInput("--output " + file + " cannot be written: " + reason);
    }
  }

  private static String whyNotWritable(Path file) {
    if (Files.isDirectory(file)) {
      return "it is a folder";
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      return Files.isWritable(file) ? null : "it is not yours to write to";
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      return "there is no folder " + folder;
    }
    return Files.isWritable(folder) ? null : folder + " is not yours to write to";
  }

  /**
   * Fits trees to a trace.
   *
   * @throws OperatorException one line that says what is wrong
   */
  public static FittedTrees of(ReadTrace trace, double windowSeconds, int seed, Path file) {
    try (TreeLearner learner = new TreeLearner(windowSeconds, seed)) {
      TraceWindows windows = new TraceWindows(trace, windowSeconds);
      while (windows.advance()) {
        learner.windowEnded(windows.now());
      }
      learner.windowEnded(windows.next());
      return written(learner, windowSeconds, file);
    }
  }

  /**
   * Writes what was learned.
   *
   * @throws OperatorException one line: there is nothing to write, it cannot be written, or this
   *     machine cannot run the library
   */
  public static FittedTrees written(TreeLearner learner, double windowSeconds, Path file) {
    learner.finish();
    DecisionTrees trees = learner.trees();
    if (trees.count() == 0) {
      throw OperatorException.badInput(
          "nothing can be learned from "
              + Words.count(learner.windows(), "window")
              + ": give a longer history or a shorter --window, so that some files are read again"
              + " in the next window and others are not");
    }
    TreeFile.write(file, trees);
    return new FittedTrees(
        file.toString(), windowSeconds, learner.windows(), learner.rows(), trees.count());
  }

  /** For people. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%,d trees, fitted to %,d rows of %,d windows of %s, are in %s: the predictor"
            + " trees:model=%s.",
        trees,
        rows,
        windows,
        Quantity.TIME.write(windowSeconds),
        file,
        file);
  }
}
