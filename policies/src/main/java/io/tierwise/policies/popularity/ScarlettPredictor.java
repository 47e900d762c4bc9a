package io.tierwise.policies.popularity;

import io.tierwise.policies.text.SpecReader;
import io.tierwise.policies.text.SpecWriter;

/**
 * Scarlett's: the most readers that a file had at one time in the learning window, and a cushion.
 *
 * <p>P = cf + d, replicas = max(cf + d, 3); cf concurrent accesses, d the cushion against
 * underestimation, in replicas. Source: DerbyhatS, 5.3.8.1, where learning window and rearrangement
 * period are one. Own: d = 1, which the text does not give.
 */
final class ScarlettPredictor extends FileByFilePredictor {
  static final String NAME = "scarlett";
  static final String CUSHION = "cushion";
  private static final int DEFAULT_CUSHION = 1;
  private static final int CUSHION_MAX = 1000;

  private final int cushion;

  private ScarlettPredictor(int cushion) {
    this.cushion = cushion;
  }

  static ScarlettPredictor of(SpecReader settings) {
    return new ScarlettPredictor(settings.integer(CUSHION, DEFAULT_CUSHION, 0, CUSHION_MAX));
  }

  @Override
  public String name() {
    return SpecWriter.of(NAME).add(CUSHION, cushion, DEFAULT_CUSHION).toString();
  }

  @Override
  double popularity(UseWindow window, int file, double before) {
    return (double) window.readersMax(file) + cushion;
  }

  @Override
  public boolean saysReplicas() {
    return true;
  }

  @Override
  public int replicas(double predicted) {
    return Math.max((int) predicted, DEFAULT_REPLICAS);
  }
}
