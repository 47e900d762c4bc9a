package io.tierwise.experiments.popularity;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.simulator.scenario.yaml.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Predictors on one trace, by regret: the bytes that were read from the slow tier and could have
 * been read from the fast one.
 *
 * @param reads of the trace
 * @param files that were read
 * @param repeatedReads reads of files that were read before: no predictor sees the others come
 * @param capacityBytes of the fast tier
 * @param scores by window, then by regret
 */
public record PredictorRanking(
    int reads, int files, int repeatedReads, long capacityBytes, List<PredictorScore> scores) {
  private static final List<String> WINDOWS =
      List.of("1 min", "5 min", "15 min", "1 h", "3 h", "6 h", "12 h", "24 h");

  private static final int SEED = 1;

  /**
   * Ranks them.
   *
   * @param windows lengths, as people write times; none: from a minute to a day, those that fit
   *     into the trace twice
   * @param predictors their specifications; none: all
   * @param fastPercent the fast tier's share of the bytes of all files
   * @throws OperatorException one line that names the bad value
   */
  public static PredictorRanking of(
      ReadTrace trace, List<String> windows, List<String> predictors, double fastPercent) {
    if (!(fastPercent > 0 && fastPercent <= 100)) {
      throw OperatorException.badInput(
          "--fast-percent is " + fastPercent + "; a number above 0, up to 100, is allowed");
    }
    List<String> texts = predictors.isEmpty() ? all() : predictors;
    requireKnown(texts);
    long capacity = (long) (trace.sizeOfAll() * fastPercent / 100);
    List<PredictorScore> scores = new ArrayList<>();
    List<Double> lengths =
        windows.isEmpty()
            ? WINDOWS.stream().map(Quantity.TIME::parse).filter(trace::holdsTwo).toList()
            : windows.stream().map(window -> seconds(window, trace)).toList();
    for (double seconds : lengths) {
      scores.addAll(ranked(trace, seconds, texts, capacity));
    }
    return new PredictorRanking(
        trace.readCount(), trace.fileCount(), trace.repeatedCount(), capacity, scores);
  }

  private static List<String> all() {
    return PopularityPredictors.all().stream().map(each -> each.name()).toList();
  }

  /** All predictors but those that have to be fitted first, which takes a library and time. */
  public static List<String> unfitted() {
    return all().stream().filter(text -> !ReplayTrees.areWanted(text)).toList();
  }

  private static void requireKnown(List<String> predictors) {
    try (ReplayTrees trees = new ReplayTrees(1)) {
      predictors.forEach(trees::predictor);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(e.getMessage());
    }
  }

  /**
   * The length of a window.
   *
   * @throws OperatorException one line: that is no time, or the trace has no two of them
   */
  public static double seconds(String window, ReadTrace trace) {
    double seconds;
    try {
      seconds = Quantity.TIME.parse(window.strip());
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput("--window \"" + window + "\" " + e.getMessage());
    }
    if (!(seconds >= 1 && trace.holdsTwo(seconds))) {
      throw OperatorException.badInput(
          String.format(
              Locale.ROOT,
              "--window %s: from 1 s to half of the trace's %.0f s is allowed",
              window.strip(),
              trace.lastSeconds()));
    }
    return seconds;
  }

  private static List<PredictorScore> ranked(
      ReadTrace trace, double windowSeconds, List<String> predictors, long capacity) {
    try (ReplayTrees trees = new ReplayTrees(windowSeconds)) {
      return ranked(trace, windowSeconds, predictors, capacity, trees);
    }
  }

  private static List<PredictorScore> ranked(
      ReadTrace trace,
      double windowSeconds,
      List<String> predictors,
      long capacity,
      ReplayTrees trees) {
    TraceWindows windows = new TraceWindows(trace, windowSeconds);
    TierBound best = new TierBound(trace, capacity);
    List<PredictorReplay> replays =
        predictors.stream()
            .map(trees::predictor)
            .map(each -> new PredictorReplay(trace, each, new FastTier(trace, capacity, SEED)))
            .toList();
    long readBytes = 0;
    while (windows.advance()) {
      best.add(windows);
      trees.windowEnded(windows.now());
      replays.forEach(replay -> replay.predict(windows));
      for (int read = windows.firstRead(); read < windows.endRead(); read++) {
        readBytes += trace.bytes(read);
      }
    }
    long read = readBytes;
    return replays.stream()
        .map(each -> each.score(windowSeconds, windows.boundaries(), read, best.fastBytes()))
        .sorted(Comparator.comparing(PredictorScore::regretShare))
        .toList();
  }

  /** A sentence about the trace, for people. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%,d reads of %,d files; %.1f%% of the reads are of files that were read before; the fast"
            + " tier holds %s. Regret and fast: of the bytes read; error: of the"
            + " replicas, on average.",
        reads,
        files,
        100.0 * repeatedReads / reads,
        Words.bytes(capacityBytes));
  }

  /** The scores, for people. */
  public Table table() {
    Table table =
        new Table()
            .text("window", "predictor")
            .number("regret", "fast", "precision", "recall", "error", "stored", "moved")
            .keys(2);
    for (PredictorScore score : scores) {
      table.row(
          Quantity.TIME.write(score.windowSeconds()),
          score.predictor(),
          percent(score.regretShare()),
          percent(score.fastShare()),
          percent(score.precision()),
          percent(score.recall()),
          String.format(Locale.ROOT, "%.2f", score.replicaError()),
          percent(score.storageShare()),
          Words.bytes(score.promotedBytes()));
    }
    return table;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }
}
