package io.tierwise.cli.simulate;

import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.Words;
import io.tierwise.experiments.run.WhatIf;
import io.tierwise.simulator.report.Format;
import io.tierwise.simulator.report.MovementResult;
import io.tierwise.simulator.report.Report;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints what a movement would bring and cost, for people. */
final class WhatIfTable {
  private WhatIfTable() {}

  static void print(WhatIf answer, Report report, PrintWriter out) {
    answer.movements().forEach(movement -> print(movement, out));
    out.println(Fold.text(meanwhile(answer.meanwhile())));
    ReportTable.print(report, out);
  }

  private static void print(WhatIf.Movement movement, PrintWriter out) {
    out.println(Fold.text(movement.path() + " to " + movement.placement()));
    out.println(Fold.text(sum(movement)));
    if (movement.replicas() > 0) {
      TextTable table = new TextTable().left("tier").right("comes").right("becomes free");
      movement
          .tiers()
          .forEach(tier -> table.row(tier.tier(), bytes(tier.comeBytes()), bytes(tier.goBytes())));
      table.print(out);
    }
    if (!movement.left().isEmpty()) {
      out.println("would stay:");
      for (MovementResult.Left left : movement.left()) {
        out.println(
            Fold.text(
                "- "
                    + Words.count(left.replicas(), "replica")
                    + " ("
                    + bytes(left.bytes())
                    + "): "
                    + left.reason(),
                2));
      }
    }
  }

  private static String sum(WhatIf.Movement movement) {
    return (movement.complete() ? "would move " : "would have moved, by the end of the run, ")
        + Words.count(movement.replicas(), "replica")
        + " ("
        + bytes(movement.bytes())
        + ", "
        + bytes(movement.networkBytes())
        + " between nodes) in "
        + Format.SECONDS.text(movement.seconds())
        + " ("
        + Format.SECONDS.text(movement.secondsAtLimits())
        + " at the bandwidths alone); "
        + Words.count(movement.blocksAsWanted(), "block")
        + " of "
        + String.format(Locale.ROOT, "%,d", movement.blocks())
        + " in "
        + Words.count(movement.files(), "file")
        + (movement.blocksAsWanted() == 1 ? " is" : " are")
        + " as wanted";
  }

  private static String bytes(long bytes) {
    return Format.BYTES.text((double) bytes);
  }

  private static String meanwhile(WhatIf.Jobs jobs) {
    if (jobs.count() == 0) {
      return "no job runs meanwhile";
    }
    return Words.count(jobs.count(), "job")
        + (jobs.count() == 1 ? " runs" : " run")
        + " meanwhile: "
        + Format.SECONDS.text(jobs.meanSecondsWith())
        + " on average instead of "
        + Format.SECONDS.text(jobs.meanSecondsWithout())
        + String.format(
            Locale.ROOT,
            " (%+.1f%%); the one that loses most takes %+.1f%%",
            100 * jobs.growthShare(),
            100 * jobs.worstGrowthShare());
  }
}
