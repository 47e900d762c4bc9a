package io.tierwise.simulator.movement;

import io.tierwise.policies.movement.PromotionOdds;
import io.tierwise.policies.popularity.UseWindow;

/**
 * The files of which it is sure that they pay for their way to the fast tier, as {@code autotier}
 * asks. Its host hands on windows with reads alone; those between them count, too.
 */
final class SureFiles {
  private final PromotionOdds odds;
  private final int windows;
  private final double windowSeconds;
  private double notedSeconds = Double.NaN;

  /**
   * @param windows in which a file has to be read enough
   * @param readsMin that are enough
   */
  SureFiles(int windows, double readsMin, double windowSeconds) {
    this.odds = new PromotionOdds(windows, readsMin);
    this.windows = windows;
    this.windowSeconds = windowSeconds;
  }

  /** A window with reads has ended. */
  void note(UseWindow ended) {
    if (!Double.isNaN(notedSeconds)) {
      long silent = Math.round((ended.startSeconds() - notedSeconds) / windowSeconds);
      // More of them change nothing: what was read before is no longer waited for.
      for (long i = Math.min(silent, windows); i > 0; i--) {
        UseWindow without = new UseWindow(0);
        without.begin(
            ended.startSeconds() - i * windowSeconds,
            ended.startSeconds() - (i - 1) * windowSeconds);
        odds.note(without);
      }
    }
    odds.note(ended);
    notedSeconds = ended.endSeconds();
  }

  /** Whether the file is one, by the window that was noted last. */
  boolean contains(UseWindow ended, int file) {
    return odds.atLeast(ended, file) >= PromotionOdds.SURE;
  }
}
