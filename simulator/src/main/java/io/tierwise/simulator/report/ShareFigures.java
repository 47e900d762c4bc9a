package io.tierwise.simulator.report;

import java.util.List;

/** Numbers of a share that follows the use of files; not a number where none does. */
final class ShareFigures {
  private ShareFigures() {}

  static List<Figure> all() {
    return List.of(
        Figure.figure(
            "share_last",
            "share of the first zone, at last",
            Format.SHARE,
            false,
            (run, scenario) ->
                run.share()
                    .map(share -> (double) share.last().numerator() / share.last().denominator())
                    .orElse(Double.NaN)),
        Figure.figure(
            "share_changes",
            "  changes of it",
            Format.COUNT,
            false,
            (run, scenario) ->
                run.share().map(share -> (double) share.changes()).orElse(Double.NaN)));
  }
}
