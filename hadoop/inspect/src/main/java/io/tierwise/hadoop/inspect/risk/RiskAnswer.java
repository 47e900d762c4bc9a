package io.tierwise.hadoop.inspect.risk;

import io.tierwise.core.message.Table;
import io.tierwise.core.message.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The risk that data is lost, and the power that it takes to keep it.
 *
 * @param repairSeconds that are looked at; nothing is repaired in them
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
   * @param intervalAssumed whether nobody told the interval
   * @param wattsAssumed whether nobody told the watts
   */
  public record Pool(
      String tier,
      int nodes,
      double failureIntervalSeconds,
      double failureProbability,
      double wattsPerTerabyte,
      boolean intervalAssumed,
      boolean wattsAssumed) {
    /** Their number and their tier. */
    String nodesText() {
      return Words.count(nodes, "node") + (tier == null ? "" : " of tier " + tier);
    }
  }

  /**
   * Blocks that are kept alike.
   *
   * @param copies what is kept of each, in words
   * @param blocks null when any set of nodes holds some block
   * @param bytes of the data, without copies; null where nothing is stored
   * @param probability that any of them is lost in the time that is looked at
   * @param probabilityPerYear about
   * @param wattsPerTerabyte of data, all its copies together
   */
  public record Row(
      String copies,
      Long blocks,
      Long bytes,
      double probability,
      double probabilityPerYear,
      double wattsPerTerabyte) {}

  /**
   * The stored data.
   *
   * @param probability that any block of any row is lost in the time that is looked at
   * @param probabilityPerYear about
   * @param watts for all rows
   * @param unreadableBlocks that have too few replicas already, and are in no row
   * @param openBlocks that are being written, and are in no row
   * @param countedNodes that are in use; null when the user says how many there are
   */
  public record Stored(
      double probability,
      double probabilityPerYear,
      double watts,
      long unreadableBlocks,
      long openBlocks,
      Integer countedNodes) {}

  /** Of ways to keep data that nothing is kept in yet. */
  static RiskAnswer ofWish(double repairSeconds, List<Pool> pools, List<Row> rows) {
    return new RiskAnswer(repairSeconds, pools, rows, null);
  }

  /** Own: more digits would tell of the model, not of the data. */
  private static final double CERTAIN = 0.99995;

  /** The rows, for people. */
  public Table table() {
    Table table =
        new Table()
            .text("copies")
            .number("blocks", "data", "risk within " + daysText(), "risk a year", "W per TB");
    for (Row row : rows) {
      table.row(
          row.copies(),
          row.blocks() == null ? "on any nodes" : String.format(Locale.ROOT, "%,d", row.blocks()),
          row.bytes() == null ? null : Words.bytes(row.bytes()),
          risk(row.probability()),
          risk(row.probabilityPerYear()),
          figure(row.wattsPerTerabyte()));
    }
    return table;
  }

  /** Sentences to stand below the table. */
  public List<String> legend() {
    List<String> lines = new ArrayList<>();
    if (stored != null) {
      lines.addAll(storedLines());
    } else if (rows.stream().anyMatch(row -> row.blocks() == null)) {
      lines.add(
          "On any nodes: an upper bound, as if every set of so many nodes had a block that no other"
              + " node has. For your own data give PATH, or --blocks.");
    }
    pools.forEach(pool -> lines.add(sentence(pool)));
    lines.add(
        "A block is lost when so many nodes fail before anything is repaired that too little of it"
            + " is left. Replicas are taken to stand on any nodes alike; nodes to fail one by one"
            + " and for good. Racks that fail as a whole are not in this figure.");
    lines.add(
        "Nothing is repaired within "
            + daysText()
            + "; after that all is. The risk a year is an approximation from it: 1 - (1 - P)^(365 /"
            + " days).");
    if (pools.size() > 1) {
      lines.add(
          "The nodes of each tier are taken to be other machines than those of the other tiers.");
    }
    return lines;
  }

  private List<String> storedLines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        rows.isEmpty()
            ? nothingCounted()
            : String.format(
                Locale.ROOT,
                "risk that any of these blocks is lost within %s: %s (a year: %s); %s W to keep"
                    + " them",
                daysText(),
                risk(stored.probability()),
                risk(stored.probabilityPerYear()),
                figure(stored.watts())));
    if (stored.unreadableBlocks() > 0) {
      lines.add(Words.count(stored.unreadableBlocks(), "block") + " cannot be read already");
    }
    if (stored.openBlocks() > 0) {
      lines.add(Words.count(stored.openBlocks(), "block") + " being written: not in these figures");
    }
    boolean counted = stored.countedNodes() != null && !rows.isEmpty();
    if (counted && stored.countedNodes() < pools.get(0).nodes()) {
      lines.add(
          Words.count(stored.countedNodes(), "node")
              + " in use, but blocks stand on "
              + pools.get(0).nodes()
              + ": taken as that many.");
    }
    lines.add(
        "Blocks that only snapshots hold are not in it, unless PATH is DIR/.snapshot/NAME. Replicas"
            + " that are marked as surplus are in it, as long as they are there.");
    return lines;
  }

  private String nothingCounted() {
    return stored.unreadableBlocks() == 0 && stored.openBlocks() == 0
        ? "nothing is stored there: nothing can be lost"
        : "no finished block there can be read: its risk is not known";
  }

  private String daysText() {
    double days = repairSeconds / NodeFigures.DAY_SECONDS;
    return figure(days) + (days == 1 ? " day" : " days");
  }

  private String sentence(Pool pool) {
    double years = pool.failureIntervalSeconds() / NodeFigures.YEAR_SECONDS;
    return String.format(
        Locale.ROOT,
        "%s: each fails once in %s%s, within %s with probability %s; %s W per TB of capacity%s",
        pool.nodesText(),
        figure(years) + (years == 1 ? " year" : " years"),
        assumed(pool.intervalAssumed(), "--mtbf-years"),
        daysText(),
        risk(pool.failureProbability()),
        figure(pool.wattsPerTerabyte()),
        assumed(pool.wattsAssumed(), "--watts-per-tb"));
  }

  private static String assumed(boolean assumed, String option) {
    return assumed ? " (assumed, not measured: " + option + " tells yours)" : "";
  }

  /** Never as 0 or 1 where it is neither. */
  static String risk(double probability) {
    if (probability == 0) {
      // Any node may fail: the figure is only too small for a number.
      return "below 1e-300";
    }
    if (probability >= CERTAIN) {
      return "above 0.9999";
    }
    if (probability >= 0.995) {
      return String.format(Locale.ROOT, "%.4f", probability);
    }
    return String.format(Locale.ROOT, probability >= 0.1 ? "%.2f" : "%.2e", probability);
  }

  /** Three digits, without zeros that say nothing. */
  static String figure(double value) {
    if (value >= 999.5) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, "%.3g", value)
        .replaceAll("(\\.\\d*?)0+$", "$1")
        .replaceAll("\\.$", "");
  }
}
