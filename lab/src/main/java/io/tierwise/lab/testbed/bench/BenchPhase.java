package io.tierwise.lab.testbed.bench;

import io.tierwise.hadoop.hdfs.topology.TierwiseTopology;
import io.tierwise.lab.testbed.plan.DaemonKeys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rows that are measured in turns, on the same files in one repeat. Every phase begins with a stock
 * row: rows of different phases are compared by their ratio to it.
 *
 * @param name what the daemons are configured for
 * @param turns rows for which the daemons are configured alike; the first row is the phase's stock
 *     row
 * @param conditions in which it is measured
 * @param leftOut by link speed, in megabits per second, who reads in no row there
 */
public record BenchPhase(
    String name, List<Turn> turns, Conditions conditions, Map<Integer, Set<String>> leftOut) {
  /**
   * The readers, the links, and the fault of the cluster meanwhile.
   *
   * @param readers tasks at the same time on all nodes; 0: as many as the bench is told
   * @param fault null: nothing is slow
   * @param repeatsMax the bench's repeats, but no more than this
   */
  public record Conditions(int readers, BenchFault fault, int repeatsMax) {
    static final Conditions USUAL = new Conditions(0, null, Integer.MAX_VALUE);
  }

  /**
   * Rows that are measured without a restart between them.
   *
   * @param keys of the daemons, on top of the testbed's
   * @param toldLinks the share of the links' true speed that a NameNode is told which orders
   *     replicas by {@code auto}; 0 when it orders as stock does
   * @param rows data sets and who reads them
   */
  public record Turn(DaemonKeys keys, double toldLinks, List<Row> rows) {
    /** The NameNode is told the links' speed. */
    DaemonKeys keys(double linkBytesPerSecond) {
      if (toldLinks == 0) {
        return keys;
      }
      Map<String, String> nameNode = new HashMap<>(keys.nameNode());
      nameNode.put("dfs.net.topology.impl", TierwiseTopology.class.getName());
      nameNode.put(TierwiseTopology.STRATEGY, auto(toldLinks * linkBytesPerSecond, isDeaf()));
      return new DaemonKeys(nameNode, keys.dataNode());
    }

    private boolean isDeaf() {
      return rows.stream().anyMatch(row -> row.access().equals(ReadsPhases.AUTO_WITHOUT_REPORTS));
    }
  }

  BenchPhase(String name, List<Turn> turns, Conditions conditions) {
    this(name, turns, conditions, Map.of());
  }

  BenchPhase(String name, DaemonKeys keys, List<Row> rows) {
    this(name, List.of(new Turn(keys, 0, rows)), Conditions.USUAL);
  }

  public List<Row> rows() {
    return turns.stream().flatMap(turn -> turn.rows().stream()).toList();
  }

  /** Those that are read at that speed of links. */
  List<Row> at(int linkMegabits, List<Row> rows) {
    Set<String> without = leftOut.getOrDefault(linkMegabits, Set.of());
    return rows.stream().filter(row -> !without.contains(row.access())).toList();
  }

  int repeats(BenchSettings settings) {
    return Math.min(settings.repeats(), conditions.repeatsMax());
  }

  /** A fault is measured where it hurts most, whatever links the bench is told. */
  List<Integer> linkMegabits(BenchSettings settings) {
    return conditions.fault() == null
        ? settings.linkMegabits()
        : List.of(conditions.fault().linkMegabits());
  }

  private static String auto(double linkBytesPerSecond, boolean isDeaf) {
    return "auto" + linkSetting(linkBytesPerSecond) + (isDeaf ? ",reports=false" : "");
  }

  private static String linkSetting(double bytesPerSecond) {
    return ":link-megabytes-per-second=" + Math.max(1, Math.round(bytesPerSecond / 1e6));
  }

  /** Rows of strategies that are told the links' speed, which HDFS knows not; by what share. */
  private static final Map<String, Double> TOLD_LINKS =
      Map.of(
          "hybrid",
          1.0,
          ReadsPhases.AUTO,
          1.0,
          ReadsPhases.AUTO_TOLD_DEVICE,
          1.0,
          ReadsPhases.AUTO_UPLINKS_UNTOLD,
          1.0,
          ReadsPhases.AUTO_WITHOUT_REPORTS,
          1.0,
          ReadsPhases.AUTO_TOLD_A_TENTH,
          ReadsPhases.A_TENTH,
          ReadsPhases.AUTO_TOLD_TENFOLD,
          ReadsPhases.TENFOLD);

  /** One data set read by one strategy; what begins with "stock" is HDFS's own client. */
  public record Row(BenchDataSet data, String access) {
    /** The strategy as the client gets it: some weigh the links' speed as well. */
    String specification(double linkBytesPerSecond) {
      Double told = TOLD_LINKS.get(access);
      if (told == null) {
        return access;
      }
      double bytesPerSecond = told * linkBytesPerSecond;
      return access.equals(ReadsPhases.AUTO_WITHOUT_REPORTS)
          ? auto(bytesPerSecond, true)
          : access.split(" ", 2)[0] + linkSetting(bytesPerSecond);
    }
  }

  /** Stock HDFS's best answer. Source: docs/results/testbed.md, at both speeds. */
  static final Map<String, String> BY_STORAGE_TYPE =
      Map.of("dfs.namenode.read.considerStorageType", "true");

  static final Row STOCK_HOT = new Row(BenchDataSet.HOT, "stock");

  /** T_c. Source: access strategies, Fig. 7: four connections. */
  private static final String NODE_READERS = "4";

  /**
   * All phases.
   *
   * <p>The last three need daemons of their own: stock HDFS knows storage types only as a setting
   * of the NameNode, and a limit of readers at the DataNodes holds for all strategies.
   */
  static List<BenchPhase> all() {
    List<Row> plain = new ArrayList<>(List.of(STOCK_HOT, new Row(BenchDataSet.ONE_SSD, "stock")));
    plain.add(new Row(BenchDataSet.TIER_AWARE, "tier-aware"));
    plain.add(new Row(BenchDataSet.HYBRID, "network-aware"));
    plain.add(new Row(BenchDataSet.HYBRID, "hybrid"));
    plain.add(new Row(BenchDataSet.HYBRID, "greedy"));
    for (String access : List.of("network-aware", "greedy", "balanced:50", "dld", "adaptive")) {
      plain.add(new Row(BenchDataSet.ONE_FAST, access));
    }
    return List.of(
        new BenchPhase("default", DaemonKeys.NONE, plain),
        new BenchPhase(
            "dfs.namenode.read.considerStorageType",
            new DaemonKeys(BY_STORAGE_TYPE, Map.of()),
            List.of(STOCK_HOT, new Row(BenchDataSet.ONE_SSD, "stock-considerStorageType"))),
        new BenchPhase(
            "readers a node",
            new DaemonKeys(
                Map.of(), Map.of("tierwise.datanode.readers.per-node.max", NODE_READERS)),
            List.of(STOCK_HOT, new Row(BenchDataSet.ONE_FAST, "nbd:threshold=" + NODE_READERS))),
        new BenchPhase(
            "readers a volume",
            new DaemonKeys(
                Map.of(), Map.of("tierwise.datanode.readers.per-volume.max", "measured")),
            List.of(STOCK_HOT, new Row(BenchDataSet.ONE_FAST, "sbd"))));
  }

  /** The first phase only. */
  static List<BenchPhase> quick() {
    return all().subList(0, 1);
  }
}
