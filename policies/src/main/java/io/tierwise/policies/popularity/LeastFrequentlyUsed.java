package io.tierwise.policies.popularity;

/** Baseline: by all reads that there ever were, without ageing. Unit: reads. */
final class LeastFrequentlyUsed extends FileByFilePredictor {
  static final String NAME = "lfu";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  double popularity(UseWindow window, int file, double before) {
    return before + window.reads(file);
  }
}
