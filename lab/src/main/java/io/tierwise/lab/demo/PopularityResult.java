package io.tierwise.lab.demo;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import io.tierwise.policies.movement.TierPromotions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The popularity demo's figures, and what they say.
 *
 * @param runs one for each way, that without management first
 * @param fastTier its name
 * @param promotions tells which promotions paid
 * @param job that waited on YARN; null until it ran
 */
public record PopularityResult(
    PopularityDemo demo,
    List<ManagedRun> runs,
    String fastTier,
    TierPromotions promotions,
    WaitingJobResult job) {
  public PopularityResult {
    runs = List.copyOf(runs);
  }

  PopularityResult with(WaitingJobResult waited) {
    return new PopularityResult(demo, runs, fastTier, promotions, waited);
  }

  private ManagedRun of(FastTierPilot.Way way) {
    return runs.stream().filter(run -> run.way() == way).findFirst().orElseThrow();
  }

  /** All figures by name. */
  public Map<String, Object> columns() {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("seed", demo.seed());
    columns.put("fast_tier", fastTier);
    columns.put("fast_tier_room_bytes", demo.roomFiles() * demo.fileBytes());
    columns.put("file_bytes", demo.fileBytes());
    columns.put("rows", runs.stream().map(run -> run.columns(promotions)).toList());
    columns.put("job", job.columns());
    return columns;
  }

  /** A row for each way. */
  public Table table() {
    Table table =
        new Table()
            .text("policy")
            .number("reading", "clock", "fast", "moved", "paid", "in tier", "stored");
    runs.forEach(run -> table.row(run.cells(promotions)));
    return table;
  }

  /** The readers' seconds of each phase, and the share that the fast tier served. */
  public Table phases() {
    Table table = new Table().text("phase");
    runs.forEach(run -> table.number(run.way().text()));
    for (int phase = 0; phase < demo.hotSet().phases(); phase++) {
      List<Object> row = new ArrayList<>(List.of(phase + 1));
      for (ManagedRun run : runs) {
        PopularityPhase each = run.phases().get(phase);
        row.add(
            String.format(
                Locale.ROOT,
                "%.1f s, %2.0f%%",
                each.readerSeconds(),
                100.0 * PopularityPhase.sum(each.fastReads()) / each.reads()));
      }
      table.row(row.toArray());
    }
    return table;
  }

  /** The findings, a sentence or two each. */
  public List<String> sentences() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "All read the same files in the same order, and replicas move meanwhile. Reading: seconds"
            + " of all readers together; clock: of all phases by the clock; fast: reads that "
            + fastTier
            + " served; in tier: the most in "
            + fastTier
            + " after the moves of a phase; stored: all replicas at the end. Waits are the time from"
            + " a phase's last read until HDFS has dropped the old replicas, which its own intervals"
            + " of seconds decide.");
    lines.add(
        String.format(
            Locale.ROOT,
            "Paid: promotions whose served reads saved more than their way took, by the tier"
                + " table's speeds (%.2f s a file, %.2f s saved by a read).",
            promotions.costSeconds(demo.fileBytes()),
            promotions.savedSeconds(1, demo.fileBytes())));
    lines.add(comparison(FastTierPilot.Way.LRU, FastTierPilot.Way.PPA));
    for (ManagedRun run : runs) {
      if (run.way().isManaged()) {
        lines.add(besideDefault(run));
      }
    }
    lines.addAll(job.sentences());
    return lines;
  }

  /** Which of two is ahead, and what the figures have of the cause. */
  private String comparison(FastTierPilot.Way one, FastTierPilot.Way other) {
    ManagedRun a = of(one);
    ManagedRun b = of(other);
    boolean isFirstAhead = a.readerSeconds() <= b.readerSeconds();
    ManagedRun ahead = isFirstAhead ? a : b;
    ManagedRun behind = isFirstAhead ? b : a;
    return String.format(
        Locale.ROOT,
        "%s reads faster than %s: the fast tier served %s of its reads beside %s, for %s moved"
            + " beside %s.%s lru takes every file that was read, ppa those whose reads it expects"
            + " to pay.",
        ahead.way().text(),
        behind.way().text(),
        Words.percent(ahead.fastShare()),
        Words.percent(behind.fastShare()),
        Words.bytes(ahead.movedBytes()),
        Words.bytes(behind.movedBytes()),
        ahead.fastShare() < behind.fastShare()
            ? " So the tier is not the cause: chance weighs more in so few reads."
            : "");
  }

  private String besideDefault(ManagedRun run) {
    ManagedRun none = of(FastTierPilot.Way.DEFAULT);
    double saved = 1 - run.readerSeconds() / none.readerSeconds();
    return String.format(
        Locale.ROOT,
        "%s: readers take %.1f s, %s %s than by default, with the moves beside them; by the clock"
            + " %.1f s, and %.1f s with the waits, where default takes %.1f s.",
        run.way().text(),
        run.readerSeconds(),
        Words.percent(Math.abs(saved)),
        saved < 0 ? "more" : "less",
        run.readingSeconds(),
        run.readingSeconds() + run.waitingSeconds(),
        none.readingSeconds());
  }

  /** Heat and tiers over time, as SVG. */
  public String chart() {
    return PopularityChart.svg(
        runs,
        "Reads of a shifting hot set, and what was in " + fastTier,
        "emulated devices; a column is a phase, a row a file; orange: reads by the audit log;"
            + " blue: in the fast tier after its moves");
  }
}
