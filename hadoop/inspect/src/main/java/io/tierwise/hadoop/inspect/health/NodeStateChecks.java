package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.Words;
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

  private final DistributedFileSystem fs;
  private final Findings findings;

  public NodeStateChecks(DistributedFileSystem fs, Findings findings) {
    this.fs = fs;
    this.findings = findings;
  }

  /**
   * Says what is out of service.
   *
   * @param staleCount how many nodes the NameNode takes for stale
   * @return the live nodes
   */
  public DatanodeInfo[] run(int staleCount) throws IOException {
    DatanodeInfo[] live = fs.getDataNodeStats(DatanodeReportType.LIVE);
    if (live.length == 0) {
      findings.add(
          Finding.failure(WHERE, "no live DataNode", "start DataNodes, or check the network"));
      return live;
    }
    long racks = Arrays.stream(live).map(DatanodeInfo::getNetworkLocation).distinct().count();
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
    outOfService("dead", Arrays.asList(fs.getDataNodeStats(DatanodeReportType.DEAD)));
    outOfService("stale", stale(live, staleCount));
    Map<AdminStates, List<DatanodeInfo>> byState =
        Arrays.stream(live).collect(Collectors.groupingBy(DatanodeInfo::getAdminState));
    byState.remove(AdminStates.NORMAL);
    byState.forEach(
        (state, nodes) -> outOfService(state.toString().toLowerCase(Locale.ROOT), nodes));
    return live;
  }

  /** The NameNode tells how many; they are those that it heard of longest ago. */
  private static List<DatanodeInfo> stale(DatanodeInfo[] live, int staleCount) {
    return Arrays.stream(live)
        .sorted(Comparator.comparingLong(DatanodeInfo::getLastUpdate))
        .limit(staleCount)
        .toList();
  }

  private void outOfService(String state, List<DatanodeInfo> nodes) {
    if (!nodes.isEmpty()) {
      findings.add(
          Finding.warning(
              WHERE,
              nodes.size()
                  + " "
                  + state
                  + ": "
                  + Findings.names(nodes.stream().map(DataNodeChecks::name).toList()),
              "no policy places on them; their tiers have so much less room"));
    }
  }
}
