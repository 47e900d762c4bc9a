package io.tierwise.cli.doctor;

import io.tierwise.cli.doctor.PluginKeys.Plugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** Looks at the running NameNode and at some DataNodes through their own web servers. */
final class DaemonChecks {
  /**
   * More would make the doctor slow on a large cluster, and configurations are rolled out alike.
   */
  private static final int DATANODES_MAX = 8;

  private static final String BEAN = "Hadoop:service=NameNode,name=Tierwise*";

  private final DistributedFileSystem fs;
  private final Configuration conf;

  DaemonChecks(DistributedFileSystem fs, Configuration conf) {
    this.fs = fs;
    this.conf = conf;
  }

  List<Finding> nameNode() throws IOException {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        fs.isInSafeMode()
            ? Finding.failure(
                "namenode",
                "the NameNode is in safe mode",
                "wait for the block reports, or run 'hdfs dfsadmin -safemode leave'")
            : Finding.ok("namenode", fs.getUri() + " answers and is out of safe mode"));
    DaemonHttp http = new DaemonHttp(nameNodeBase());
    try {
      for (Plugin plugin : PluginKeys.NAMENODE) {
        findings.add(check("namenode", plugin, http.configured(plugin.key())));
      }
      findings.add(
          http.bean(BEAN).isPresent()
              ? Finding.ok("namenode", "the plug-in runs and publishes its counters")
              : Finding.failure(
                  "namenode",
                  "the plug-in does not run in the NameNode",
                  "put the plug-in jar on the NameNode's class path, set the keys above, restart"));
    } catch (IOException e) {
      findings.add(
          Finding.warning(
              "namenode",
              "its web server does not answer at " + http.base() + " (" + e.getMessage() + ")",
              "check dfs.namenode.http-address; the NameNode's live keys were not looked at"));
    }
    return findings;
  }

  private String nameNodeBase() throws IOException {
    return DFSUtil.getInfoServer(
            DFSUtilClient.getNNAddress(conf), conf, DFSUtil.getHttpClientScheme(conf))
        .toString();
  }

  List<Finding> dataNodes() throws IOException {
    DatanodeInfo[] live = fs.getDataNodeStats(DatanodeReportType.LIVE);
    if (live.length == 0) {
      return List.of(
          Finding.failure("datanode", "no live DataNode", "start DataNodes, or check the network"));
    }
    List<Finding> findings = new ArrayList<>();
    findings.add(Finding.ok("datanode", live.length + " live DataNodes"));
    findings.addAll(racks(live));
    List<DatanodeInfo> sample =
        Arrays.asList(live).subList(0, Math.min(live.length, DATANODES_MAX));
    for (Plugin plugin : PluginKeys.DATANODE) {
      findings.add(checkAll(plugin, sample));
    }
    return findings;
  }

  private static List<Finding> racks(DatanodeInfo[] live) {
    long racks = Arrays.stream(live).map(DatanodeInfo::getNetworkLocation).distinct().count();
    return racks > 1 || live.length == 1
        ? List.of(Finding.ok("datanode", racks + " rack(s)"))
        : List.of(
            Finding.warning(
                "datanode",
                "all DataNodes are in one rack",
                "set net.topology.script.file.name or net.topology.table.file.name"));
  }

  private Finding checkAll(Plugin plugin, List<DatanodeInfo> nodes) {
    int with = 0;
    List<String> without = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (DatanodeInfo node : nodes) {
      try {
        Optional<String> value =
            new DaemonHttp("http://" + node.getInfoAddr()).configured(plugin.key());
        if (isSet(plugin, value)) {
          with++;
        } else {
          without.add(node.getHostName());
        }
      } catch (IOException e) {
        silent.add(node.getHostName());
      }
    }
    if (with == nodes.size()) {
      return Finding.ok("datanode", plugin.key() + " brings " + plugin.brings());
    }
    if (without.isEmpty()) {
      return Finding.warning(
          "datanode",
          "no answer from the web servers of " + silent,
          "check dfs.datanode.http.address");
    }
    return Finding.warning(
        "datanode",
        plugin.key() + " is not ours on " + without,
        "for " + plugin.brings() + " set it to " + plugin.className());
  }

  static Finding check(String where, Plugin plugin, Optional<String> value) {
    if (isSet(plugin, value)) {
      return Finding.ok(where, plugin.key() + " brings " + plugin.brings());
    }
    String finding = plugin.key() + " is " + value.orElse("not set");
    String advice = "for " + plugin.brings() + " set it to " + plugin.className();
    return plugin.required()
        ? Finding.failure(where, finding, advice)
        : Finding.warning(where, finding, advice);
  }

  private static boolean isSet(Plugin plugin, Optional<String> value) {
    return value.isPresent()
        && Arrays.stream(value.get().split(",", -1))
            .map(String::strip)
            .anyMatch(plugin.className()::equals);
  }
}
