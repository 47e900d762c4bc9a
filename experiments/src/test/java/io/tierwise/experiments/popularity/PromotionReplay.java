package io.tierwise.experiments.popularity;

import io.tierwise.policies.movement.PromotionOdds;
import io.tierwise.policies.movement.ReadsToCome;
import io.tierwise.policies.movement.TierPromotions;
import io.tierwise.policies.movement.TierPromotions.Claim;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Promotions into a fast tier on a trace, by the classes that decide in the daemon, and how many of
 * them paid: whose reads in the tier saved more seconds than their way there took.
 */
final class PromotionReplay {
  /** What is taken for the reads to come. */
  enum Gate {
    /** The window's reads, in each window of the hold. */
    STEADY,
    /** Those of files with as many reads before. */
    LEARNED,
    /** The same, where it is sure enough that it pays. */
    SURE,
    /** Those that come: a bound. */
    ORACLE
  }

  private final ReadTrace trace;
  private final TierPromotions promotions;
  private final PopularityPredictor predictor;
  private final Gate gate;
  private final int hold;
  private final double windowSeconds;
  private final PopularityState state = new PopularityState();
  private final ReadsToCome toCome;
  private final PromotionOdds odds;
  private final int[][] reads;
  private final double[] predicted;
  private final boolean[] isIn;
  private final double[] since;
  private final long[] served;
  private double roomBytes;
  private int count;
  private int unpaid;
  private double savedSeconds;
  private double costSeconds;

  /** What came of it; seconds of readers and of devices. */
  record Result(int promotions, int unpaid, double savedSeconds, double costSeconds) {
    double netSeconds() {
      return savedSeconds - costSeconds;
    }

    /** For people. */
    String text() {
      return String.format(
          Locale.ROOT,
          "%5d promotions, %5.1f%% did not pay, %,.0f s saved for %,.0f s: %,.0f s",
          promotions,
          promotions == 0 ? 0 : 100.0 * unpaid / promotions,
          savedSeconds,
          costSeconds,
          netSeconds());
    }
  }

  private PromotionReplay(
      ReadTrace trace,
      TierPromotions promotions,
      PopularityPredictor predictor,
      Gate gate,
      double windowSeconds,
      int hold,
      double fastShare) {
    this.trace = trace;
    this.promotions = promotions;
    this.predictor = predictor;
    this.gate = gate;
    this.hold = hold;
    this.windowSeconds = windowSeconds;
    toCome = new ReadsToCome(hold);
    odds = new PromotionOdds(hold, promotions.readsToPay());
    predicted = new double[trace.fileCount()];
    isIn = new boolean[trace.fileCount()];
    since = new double[trace.fileCount()];
    served = new long[trace.fileCount()];
    roomBytes = fastShare * trace.sizeOfAll();
    reads = new int[trace.windowCount(windowSeconds)][trace.fileCount()];
    for (int read = 0; read < trace.readCount(); read++) {
      int window = (int) (trace.seconds(read) / windowSeconds);
      if (window < reads.length) {
        reads[window][trace.file(read)]++;
      }
    }
  }

  static Result of(
      ReadTrace trace,
      TierPromotions promotions,
      PopularityPredictor predictor,
      Gate gate,
      double windowSeconds,
      int hold,
      double fastShare) {
    return new PromotionReplay(trace, promotions, predictor, gate, windowSeconds, hold, fastShare)
        .run();
  }

  private Result run() {
    TraceWindows windows = new TraceWindows(trace, windowSeconds);
    for (int boundary = 0; windows.advance(); boundary++) {
      toCome.note(windows.now());
      odds.note(windows.now());
      predictor.predict(windows.now(), state, predicted);
      decide(windows.now(), windows.knownFiles(), boundary);
      for (int file = 0; file < windows.knownFiles(); file++) {
        if (isIn[file]) {
          served[file] += windows.next().reads(file);
        }
      }
    }
    for (int file = 0; file < isIn.length; file++) {
      if (isIn[file]) {
        leave(file);
      }
    }
    return new Result(count, unpaid, savedSeconds, costSeconds);
  }

  private void decide(UseWindow window, int known, int boundary) {
    List<TierPromotions.File> files = new ArrayList<>();
    for (int file = 0; file < known; file++) {
      double expected = expected(window, file, boundary);
      if (isIn[file]
          || (predictor.isPopular(predicted[file]) && expected > 1 && isSure(window, file))) {
        boolean isHeld = window.endSeconds() - since[file] < hold * windowSeconds;
        files.add(
            new TierPromotions.File(
                file,
                trace.size(file),
                expected,
                isIn[file] ? trace.size(file) : 0,
                isIn[file] && isHeld ? Claim.HELD : Claim.USUAL));
      }
    }
    TierPromotions.Choice choice = promotions.choose(files, (long) roomBytes);
    choice.out().forEach(file -> leave(Math.toIntExact(file)));
    for (long number : choice.in().keySet()) {
      int file = Math.toIntExact(number);
      isIn[file] = true;
      since[file] = window.endSeconds();
      served[file] = 0;
      roomBytes -= trace.size(file);
      count++;
    }
  }

  private boolean isSure(UseWindow window, int file) {
    return gate != Gate.SURE || odds.atLeast(window, file) >= PromotionOdds.SURE;
  }

  private double expected(UseWindow window, int file, int boundary) {
    if (gate == Gate.ORACLE) {
      int coming = 0;
      for (int next = 1; next <= hold && boundary + next < reads.length; next++) {
        coming += reads[boundary + next][file];
      }
      return coming;
    }
    return gate == Gate.LEARNED || gate == Gate.SURE
        ? toCome.expected(window.reads(file))
        : (double) window.reads(file) * hold;
  }

  private void leave(int file) {
    double saved = promotions.savedSeconds((double) served[file], trace.size(file));
    double cost = promotions.costSeconds(trace.size(file));
    isIn[file] = false;
    roomBytes += trace.size(file);
    savedSeconds += saved;
    costSeconds += cost;
    unpaid += saved > cost ? 0 : 1;
  }
}
