package io.tierwise.experiments.reproduce;

/** What one of our numbers stands on. Only a prediction counts for or against the model. */
public enum Basis {
  /** A run of the model decides it. */
  PREDICTED,
  /** A constant was set by the printed number. */
  CALIBRATED,
  /** The scenario has the number as an input, or it is arithmetic without a run. */
  GIVEN
}
