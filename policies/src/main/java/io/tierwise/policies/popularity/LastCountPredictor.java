package io.tierwise.policies.popularity;

/** Baseline: a file is read as often as in the window before. Unit: reads a window. */
final class LastCountPredictor extends FileByFilePredictor {
  static final String NAME = "last-count";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  double popularity(UseWindow window, int file, double before) {
    return window.reads(file);
  }
}
