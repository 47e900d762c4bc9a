package io.tierwise.lab.testbed.plan;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes what the daemons and clients of each node read: {@code core-site.xml}, {@code
 * hdfs-site.xml}, the rack table, {@code tiers.yaml}, a hosts file and the log's settings.
 *
 * <p>Each node has a folder of its own, {@code conf/NODE}, to be used as {@code HADOOP_CONF_DIR}.
 */
public final class HadoopConfiguration {
  public static final int NAME_NODE_RPC_PORT = 8020;
  public static final int NAME_NODE_HTTP_PORT = 9870;
  public static final int DATA_NODE_HTTP_PORT = 9864;

  private final TestbedPlan plan;
  private final Path folder;

  public HadoopConfiguration(TestbedPlan plan, Path folder) {
    this.plan = plan;
    this.folder = folder;
  }

  /** The configuration folder of a node. */
  public Path of(NodePlan node) {
    return confFolder().resolve(node.name());
  }

  /** Host names and addresses, for {@code -Djdk.net.hosts.file}: no name service is reachable. */
  public Path hostsFile() {
    return confFolder().resolve("hosts");
  }

  public Path logSettings() {
    return confFolder().resolve("log4j.properties");
  }

  /** Where the daemons' web pages stand; it goes onto their class path. */
  public Path webFolder() {
    return folder.resolve("web");
  }

  private Path confFolder() {
    return folder.resolve("conf");
  }

  /** Writes all files of all nodes. */
  public void write() {
    write(DaemonKeys.NONE);
  }

  /** Writes all files of all nodes, with keys on top for the daemons. */
  public void write(DaemonKeys keys) {
    write(hostsFile(), lines("%2$s %1$s"));
    write(confFolder().resolve("racks.table"), racks());
    write(logSettings(), LOG_SETTINGS);
    for (NodePlan node : plan.nodes()) {
      write(of(node).resolve("core-site.xml"), xml(coreSite(node)));
      write(of(node).resolve("hdfs-site.xml"), xml(hdfsSite(node, keys)));
      write(of(node).resolve("tiers.yaml"), tiersYaml(plan.linkBitsPerSecond()));
    }
  }

  private static final String LOG_SETTINGS =
      """
      log4j.rootLogger=INFO, out
      log4j.logger.BlockStateChange=WARN
      log4j.logger.org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace=INFO
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n
      """;

  private String lines(String format) {
    return plan.nodes().stream()
        .map(node -> String.format(format, node.name(), node.address()) + "\n")
        .collect(Collectors.joining());
  }

  private String racks() {
    StringBuilder table = new StringBuilder();
    for (NodePlan node : plan.dataNodes()) {
      table.append(node.name()).append(' ').append(node.networkLocation()).append('\n');
      table.append(node.address()).append(' ').append(node.networkLocation()).append('\n');
    }
    return table.toString();
  }

  private Map<String, String> coreSite(NodePlan node) {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("fs.defaultFS", "hdfs://" + TestbedPlan.NAME_NODE + ":" + NAME_NODE_RPC_PORT);
    site.put("hadoop.tmp.dir", folder.resolve("tmp").resolve(node.name()).toString());
    site.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    site.put("net.topology.table.file.name", confFolder().resolve("racks.table").toString());
    // A node that a partition hides is given up after seconds, not minutes.
    site.put("ipc.client.connect.timeout", "5000");
    site.put("ipc.client.connect.max.retries.on.timeouts", "3");
    return site;
  }

  private Map<String, String> hdfsSite(NodePlan node, DaemonKeys keys) {
    Map<String, String> site = new LinkedHashMap<>();
    site.put("dfs.replication", Integer.toString(Math.min(3, plan.racks() * plan.nodesPerRack())));
    // Scaled like the speeds, so that a block still takes about as long to set up as it did
    // relative to its transfer: 128 MiB / 32.
    site.put("dfs.blocksize", Integer.toString(4 << 20));
    site.put("dfs.client.socket-timeout", "10000");
    // By default a volume with less than 1 GiB free takes no block; the NameNode reads it as well.
    site.put("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0");
    if (node.isNameNode()) {
      nameNodeSite(site);
      site.putAll(keys.nameNode());
    } else {
      dataNodeSite(site, node);
      site.putAll(keys.dataNode());
    }
    return site;
  }

  private void nameNodeSite(Map<String, String> site) {
    site.put("dfs.namenode.name.dir", folder.resolve("namenode").toUri().toString());
    site.put("dfs.namenode.rpc-bind-host", "0.0.0.0");
    site.put("dfs.namenode.http-address", "0.0.0.0:" + NAME_NODE_HTTP_PORT);
    site.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    site.put("dfs.namenode.safemode.extension", "0");
    site.put("dfs.heartbeat.interval", "1");
    site.put("dfs.namenode.heartbeat.recheck-interval", "5000");
    site.put("dfs.namenode.stale.datanode.interval", "5000");
    site.put("dfs.namenode.handler.count", "8");
    if (plan.plugIns()) {
      String plugIns = "io.tierwise.hadoop.hdfs.namenode.";
      site.put("dfs.block.replicator.classname", plugIns + "TierwisePlacementPolicy");
      site.put("dfs.namenode.plugins", plugIns + "TierwiseNameNodePlugin");
    }
  }

  private void dataNodeSite(Map<String, String> site, NodePlan node) {
    site.put("dfs.datanode.data.dir", dataDirectories(node));
    site.put("dfs.datanode.hostname", node.name());
    site.put("dfs.datanode.address", "0.0.0.0:9866");
    site.put("dfs.datanode.http.address", "0.0.0.0:" + DATA_NODE_HTTP_PORT);
    site.put("dfs.datanode.ipc.address", "0.0.0.0:9867");
    site.put("dfs.datanode.handler.count", "3");
    site.put("dfs.heartbeat.interval", "1");
    site.put("dfs.datanode.du.reserved", "0");
    // Space is asked of the file system, not of a walk over all blocks; nothing scans blocks: both
    // would use up a slow volume's share of bytes during a benchmark.
    site.put("fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");
    site.put("dfs.datanode.scan.period.hours", "-1");
    site.put("dfs.datanode.directoryscan.interval", "-1");
    if (plan.plugIns()) {
      site.put(
          "dfs.datanode.fsdataset.factory",
          "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TierwiseDatasetFactory");
    }
  }

  private String dataDirectories(NodePlan node) {
    return node.volumes().stream()
        .map(
            volume ->
                "["
                    + volume.kind().storageType()
                    + "]"
                    + folder.resolve("volumes").resolve(volume.name()).resolve("hdfs").toUri())
        .collect(Collectors.joining(","));
  }

  /**
   * The tier table, with the racks' uplinks where they may be a limit. HDFS knows one kind of SSD,
   * so the two SSD tiers are told apart by host.
   *
   * @param linkBitsPerSecond of a node
   */
  public String tiersYaml(long linkBitsPerSecond) {
    if (plan.oversubscription() == 1) {
      return tiersWithoutUplinksYaml();
    }
    double uplink = plan.uplinkBitsPerSecond(linkBitsPerSecond) / 8e6;
    return tiersWithoutUplinksYaml() + "uplinks:\n  - {megabytes-per-second: " + uplink + "}\n";
  }

  /** The tier table of an administrator who does not know what uplinks carry. */
  public String tiersWithoutUplinksYaml() {
    StringBuilder yaml = new StringBuilder("tiers:\n");
    for (DeviceKind kind : DeviceKind.values()) {
      List<String> hosts =
          plan.dataNodes().stream()
              .filter(node -> node.volumes().stream().anyMatch(volume -> volume.kind() == kind))
              .map(NodePlan::name)
              .toList();
      if (hosts.isEmpty()) {
        continue;
      }
      yaml.append("  - name: ").append(kind.tier()).append('\n');
      yaml.append("    match: {storage-type: ").append(kind.storageType());
      yaml.append(", hosts: [").append(String.join(", ", hosts)).append("]}\n");
      yaml.append("    class: {read-megabytes-per-second: ");
      yaml.append(kind.readBytesPerSecond(plan.scaleDown()) / 1e6);
      yaml.append(", write-megabytes-per-second: ");
      yaml.append(kind.writeBytesPerSecond(plan.scaleDown()) / 1e6);
      yaml.append(", readers-at-peak: ").append(kind.readersAtPeak()).append("}\n");
    }
    return yaml.toString();
  }

  private static String xml(Map<String, String> properties) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (name, value) ->
            xml.append("  <property><name>")
                .append(name)
                .append("</name><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</value></property>\n"));
    return xml.append("</configuration>\n").toString();
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    } catch (IOException e) {
      throw OperatorException.cluster("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
