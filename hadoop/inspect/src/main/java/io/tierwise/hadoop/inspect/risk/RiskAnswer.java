package io.tierwise.hadoop.inspect.risk;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The risk that data is lost, and the power that it takes to keep it.
 *
 * @param repairSeconds in which nothing is repaired
 * @param pools the nodes that it is about
 * @param rows ways in which blocks are kept, the riskiest first where they are stored
 * @param stored all rows together; null where they are told of one by one, because nothing is
 *     stored
 */
public record RiskAnswer(double repairSeconds, List<Pool> pools, List<Row> rows, Stored stored) {
  public RiskAnswer {
    pools = List.copyOf(pools);
    rows = List.copyOf(rows);
  }

  /**
   * Nodes that fail alike.
   *
   * @param tier that they hold; null for nodes of all tiers
   * @param failureIntervalSeconds of one, as a mean
   * @param failureProbability of one, before anything is repaired
   * @param wattsPerTerabyte of its capacity
   * @param assumed whether one of these figures was not told
   */
  public record Pool(
      String tier,
      int nodes,
      double failureIntervalSeconds,
      double failureProbability,
      double wattsPerTerabyte,
      boolean assumed) {}

  /**
   * Blocks that are kept alike.
   *
   * @param copies what is kept of each, in words
   * @param blocks null when any set of nodes holds some block
   * @param bytes of the data, without copies; null where nothing is stored
   * @param probability that any of them is lost
   * @param wattsPerTerabyte of data, all its copies together
   */
  public record Row(
      String copies, Long blocks, Long bytes, double probability, double wattsPerTerabyte) {}

  /**
   * What is stored.
   *
   * @param probability that any block of any row is lost
   * @param watts for all rows
   * @param unreadableBlocks that have too few replicas already, and are in no row
   */
  public record Stored(double probability, double watts, long unreadableBlocks) {}

  /** Of ways to keep data that nothing is kept in yet. */
  static RiskAnswer ofWish(double repairSeconds, List<Pool> pools, List<Row> rows) {
    return new RiskAnswer(repairSeconds, pools, rows, null);
  }

  /** The rows, for people. */
  public Table table() {
    Table table = new Table().text("copies").number("blocks", "data", "risk of loss", "W per TB");
    for (Row row : rows) {
      table.row(
          row.copies(),
          row.blocks() == null ? "very many" : String.format(Locale.ROOT, "%,d", row.blocks()),
          row.bytes() == null ? null : Words.bytes(row.bytes()),
          risk(row.probability()),
          figure(row.wattsPerTerabyte()));
    }
    return table;
  }

  /** Sentences to stand below the table. */
  public List<String> legend() {
    List<String> lines = new ArrayList<>();
    if (stored != null) {
      lines.add(
          rows.isEmpty()
              ? "nothing is stored there: nothing can be lost"
              : "risk that any of these blocks is lost: "
                  + risk(stored.probability())
                  + "; "
                  + figure(stored.watts())
                  + " W to keep them");
    }
    pools.forEach(pool -> lines.add(sentence(pool)));
    lines.add(
        "A block is lost when so many nodes fail before anything is repaired that too little of it"
            + " is left. Replicas are taken to stand on any nodes alike; nodes to fail one by one"
            + " and for good. Racks that fail as a whole are not in this figure.");
    if (pools.size() > 1) {
      lines.add(
          "The nodes of each tier are taken to be other machines than those of the other tiers.");
    }
    return lines;
  }

  private String sentence(Pool pool) {
    double days = repairSeconds / NodeFigures.DAY_SECONDS;
    double years = pool.failureIntervalSeconds() / NodeFigures.YEAR_SECONDS;
    return String.format(
        Locale.ROOT,
        "%s: each fails once in %s, within %s with probability %s; %s W per TB of capacity%s",
        Words.count(pool.nodes(), "node") + (pool.tier() == null ? "" : " of tier " + pool.tier()),
        figure(years) + (years == 1 ? " year" : " years"),
        figure(days) + (days == 1 ? " day" : " days"),
        risk(pool.failureProbability()),
        figure(pool.wattsPerTerabyte()),
        pool.assumed()
            ? " (assumed, not measured: --mtbf-years and --watts-per-tb tell yours)"
            : "");
  }

  private static String risk(double probability) {
    boolean plain = probability == 0 || probability >= 0.1;
    return String.format(Locale.ROOT, plain ? "%.2f" : "%.2e", probability);
  }

  /** Three digits, without zeros that say nothing. */
  private static String figure(double value) {
    if (value >= 1000) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, "%.3g", value)
        .replaceAll("(\\.\\d*?)0+$", "$1")
        .replaceAll("\\.$", "");
  }
}
