package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** Nodes that hold replicas but take no new ones: dead, stale, on their way out of service. */
public final class NodeStateChecks {
  private static final String WHERE = "datanode";

  /** The advice where no policy places on the nodes. */
  private static final String LEFT_OUT =
      "no policy places on them; their tiers have so much less room";

  private final DistributedFileSystem fs;
  private final Findings findings;

  /**
   * The stale nodes of the active NameNode, and its bound.
   *
   * @param count how many it counted when it looked last: every five minutes by Hadoop's defaults
   * @param millis how long a stale node has said nothing
   * @param avoided whether blocks are not sent to such nodes
   */
  public record Staleness(int count, long millis, boolean avoided) {
    /** Hadoop's defaults, where no active NameNode told its own. */
    static final Staleness UNKNOWN = new Staleness(0, 30_000, false);
  }

  public NodeStateChecks(DistributedFileSystem fs, Findings findings) {
    this.fs = fs;
    this.findings = findings;
  }

  /**
   * Says what is out of service.
   *
   * @param staleness what the NameNode takes for stale
   * @param locations its racks
   * @return the live nodes
   */
  public DatanodeInfo[] run(Staleness staleness, RegionNames locations) throws IOException {
    DatanodeInfo[] live = fs.getDataNodeStats(DatanodeReportType.LIVE);
    if (live.length == 0) {
      findings.add(
          Finding.failure(WHERE, "no live DataNode", "start DataNodes, or check the network"));
      return live;
    }
    long racks =
        Arrays.stream(live)
            .map(node -> locations.rackOf(node.getNetworkLocation()))
            .distinct()
            .count();
    findings.add(
        Finding.ok(
            WHERE,
            Words.count(live.length, "live DataNode") + " in " + Words.count(racks, "rack")));
    if (racks == 1 && live.length > 1) {
      findings.add(
          Finding.warning(
              WHERE,
              "all DataNodes are in one rack",
              "set net.topology.script.file.name or net.topology.table.file.name"));
    }
    report("dead", Arrays.asList(fs.getDataNodeStats(DatanodeReportType.DEAD)), LEFT_OUT);
    report(
        "stale",
        stale(live, staleness),
        staleness.avoided()
            ? LEFT_OUT
            : "blocks may still be sent to them, and writers wait: look at the nodes;"
                + " dfs.namenode.avoid.write.stale.datanode true leaves them out");
    Map<AdminStates, List<DatanodeInfo>> byState =
        Arrays.stream(live).collect(Collectors.groupingBy(DatanodeInfo::getAdminState));
    byState.remove(AdminStates.NORMAL);
    byState.forEach(
        (state, nodes) -> report(state.toString().toLowerCase(Locale.ROOT), nodes, LEFT_OUT));
    return live;
  }

  /**
   * Those that were heard of much longer ago than the node that was heard of last; or, where all
   * are silent, as many as the NameNode counted.
   */
  private static List<DatanodeInfo> stale(DatanodeInfo[] live, Staleness staleness) {
    long latest = Arrays.stream(live).mapToLong(DatanodeInfo::getLastUpdate).max().orElse(0);
    long silent =
        Arrays.stream(live)
            .filter(node -> latest - node.getLastUpdate() > staleness.millis())
            .count();
    return Arrays.stream(live)
        .sorted(Comparator.comparingLong(DatanodeInfo::getLastUpdate))
        .limit(Math.max(silent, staleness.count()))
        .toList();
  }

  private void report(String state, List<DatanodeInfo> nodes, String advice) {
    if (!nodes.isEmpty()) {
      findings.add(
          Finding.warning(
              WHERE,
              nodes.size()
                  + " "
                  + state
                  + ": "
                  + Findings.names(nodes.stream().map(DataNodeChecks::name).toList()),
              advice));
    }
  }
}
