package io.tierwise.cli.testbed.bench;

import io.tierwise.cli.testbed.plan.DaemonKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows that are measured with the daemons configured alike, in turns. Every phase measures stock
 * HOT as well: rows of different phases are compared by their ratio to it.
 *
 * @param name what the daemons are configured for
 * @param keys on top of the testbed's
 * @param rows data sets and who reads them; the first is the phase's stock row
 */
record BenchPhase(String name, DaemonKeys keys, List<Row> rows) {
  /** One data set read by one strategy; what begins with "stock" is HDFS's own client. */
  record Row(BenchDataSet data, String access) {
    /** What the client is told: the hybrid strategy weighs the links' speed as well. */
    String specification(double linkBytesPerSecond) {
      return access.equals("hybrid")
          ? "hybrid:link-megabytes-per-second=" + Math.max(1, Math.round(linkBytesPerSecond / 1e6))
          : access;
    }
  }

  private static final Row STOCK_HOT = new Row(BenchDataSet.HOT, "stock");

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
            new DaemonKeys(Map.of("dfs.namenode.read.considerStorageType", "true"), Map.of()),
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
