package io.tierwise.policies.movement;

/**
 * What a job would take in each {@linkplain StorageConfiguration configuration}, from its first
 * task to its end: from profiles of its application, scaled to its input.
 */
public record PredictedSeconds(
    double allSlow, double fastIntermediate, double fastInput, double allFast) {
  /** Refuses times that are none. */
  public PredictedSeconds {
    if (!(allSlow >= 0 && fastIntermediate >= 0 && fastInput >= 0 && allFast >= 0)) {
      throw new IllegalArgumentException(
          "predicted seconds are "
              + allSlow
              + ", "
              + fastIntermediate
              + ", "
              + fastInput
              + " and "
              + allFast
              + "; give 0 or more");
    }
  }

  /** The seconds in one of them. */
  public double of(StorageConfiguration configuration) {
    return switch (configuration) {
      case ALL_SLOW -> allSlow;
      case FAST_INTERMEDIATE -> fastIntermediate;
      case FAST_INPUT -> fastInput;
      case ALL_FAST -> allFast;
    };
  }
}
