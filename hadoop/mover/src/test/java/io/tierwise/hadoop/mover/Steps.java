package io.tierwise.hadoop.mover;

import io.tierwise.hadoop.mover.journal.PastRun;
import java.util.ArrayList;
import java.util.List;

/** The steps of a small run, all at once. */
final class Steps {
  private Steps() {}

  static List<PastRun.Step> of(PastRun run) {
    List<PastRun.Step> steps = new ArrayList<>();
    run.read(steps::add);
    return steps;
  }
}
