package io.tierwise.experiments.popularity;

import io.tierwise.core.message.OperatorException;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import java.util.function.Supplier;

/** One predictor on its way through the windows, with its fast tier and what was counted. */
final class PredictorReplay {
  private final ReadTrace trace;
  private final Supplier<PopularityPredictor> predictors;
  private final PopularityState state = new PopularityState();
  private final FastTier tier;
  private final double[] predicted;
  private long fastBytes;
  private double filesInTier;
  private double filesRead;
  private double filesInTierRead;
  private double replicaErrors;
  private double replicaBytes;
  private double defaultBytes;
  private PopularityPredictor predictor;

  /**
   * Nothing was predicted yet.
   *
   * @param predictors asked at each boundary: a predictor may have learned since the last one
   */
  PredictorReplay(ReadTrace trace, Supplier<PopularityPredictor> predictors, FastTier tier) {
    this.trace = trace;
    this.predictors = predictors;
    predictor = predictors.get();
    this.tier = tier;
    predicted = new double[trace.fileCount()];
  }

  /**
   * Predicts the window to come and counts what it brought.
   *
   * @throws OperatorException one line: this predictor does not take such a window
   */
  void predict(TraceWindows windows) {
    predictor = predictors.get();
    try {
      PopularityPredictors.predict(predictor, windows.now(), state, predicted);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(e.getMessage());
    }
    tier.fill(predicted, windows.knownFiles());
    for (int file = 0; file < windows.knownFiles(); file++) {
      count(file, windows);
    }
    for (int read = windows.firstRead(); read < windows.endRead(); read++) {
      int file = trace.file(read);
      if (file < windows.knownFiles() && tier.isIn(file)) {
        fastBytes += trace.bytes(read);
      }
    }
  }

  private void count(int file, TraceWindows windows) {
    boolean isRead = windows.next().reads(file) > 0;
    int replicas = predictor.replicas(predicted[file]);
    replicaBytes += (double) replicas * trace.size(file);
    defaultBytes += (double) PopularityPredictor.DEFAULT_REPLICAS * trace.size(file);
    filesInTier += tier.isIn(file) ? 1 : 0;
    if (isRead) {
      int wanted = Math.max(PopularityPredictor.DEFAULT_REPLICAS, windows.next().readersMax(file));
      replicaErrors += Math.abs(replicas - wanted);
      filesRead++;
      filesInTierRead += tier.isIn(file) ? 1 : 0;
    }
  }

  long fastBytes() {
    return fastBytes;
  }

  PredictorScore score(double windowSeconds, int windows, long readBytes, long bestFastBytes) {
    return new PredictorScore(
        predictor.name(),
        windowSeconds,
        windows,
        readBytes,
        fastBytes,
        bestFastBytes,
        share(filesInTierRead, filesInTier),
        share(filesInTierRead, filesRead),
        share(replicaErrors, filesRead),
        share(replicaBytes, defaultBytes),
        tier.promotedBytes());
  }

  private static double share(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
