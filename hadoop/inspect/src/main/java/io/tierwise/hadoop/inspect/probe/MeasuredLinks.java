package io.tierwise.hadoop.inspect.probe;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Table;
import io.tierwise.hadoop.hdfs.tiers.TierFileUpdate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/** DataNodes, with what was measured of their links. */
public record MeasuredLinks(List<Node> nodes) {
  public MeasuredLinks {
    nodes = List.copyOf(nodes);
  }

  /**
   * A DataNode.
   *
   * @param bytesPerSecond null when it was not measured
   * @param remark why not; null when it was, or when nobody tried
   */
  public record Node(String hostName, Double bytesPerSecond, String remark) {}

  /**
   * The DataNodes to measure.
   *
   * @param hosts by name; none: all that live, but for those of this machine
   * @throws OperatorException when a host is no live DataNode, or none is left
   */
  public static List<DatanodeInfo> choose(DistributedFileSystem fs, List<String> hosts)
      throws IOException {
    List<DatanodeInfo> chosen = new ArrayList<>();
    List<String> unknown = new ArrayList<>(hosts);
    for (DatanodeInfo node : fs.getClient().datanodeReport(DatanodeReportType.LIVE)) {
      boolean named = unknown.remove(node.getHostName());
      if (named || (hosts.isEmpty() && !isHere(node))) {
        chosen.add(node);
      }
    }
    if (!unknown.isEmpty()) {
      throw OperatorException.badInput(
          "no live DataNode is called " + unknown.get(0) + ": see 'hdfs dfsadmin -report'");
    }
    if (chosen.isEmpty()) {
      throw OperatorException.badInput("no live DataNode on another machine: nothing to measure");
    }
    return chosen;
  }

  /** A node of this machine is reached without a link. */
  private static boolean isHere(DatanodeInfo node) throws IOException {
    return NetworkInterface.getByInetAddress(InetAddress.getByName(node.getIpAddr())) != null;
  }

  /** Refuses a file that the measurements cannot go into, before they are made. */
  public static void requireWritable(Path tierFile) {
    if (!Files.isRegularFile(tierFile)) {
      throw OperatorException.badInput("--write " + tierFile + " is no tier table: name one");
    }
    TierFileUpdate.requireWritable(tierFile, "--write");
  }

  /** The measurements that would be made of these nodes. */
  public static MeasuredLinks wouldBe(List<DatanodeInfo> nodes) {
    return new MeasuredLinks(
        nodes.stream().map(node -> new Node(node.getHostName(), null, null)).toList());
  }

  /** The measurements, those that failed last. */
  public static MeasuredLinks of(LinkProbe.Result result) {
    List<Node> nodes = new ArrayList<>();
    result.bytesPerSecond().forEach((host, bytes) -> nodes.add(new Node(host, bytes, null)));
    result.failures().forEach((host, why) -> nodes.add(new Node(host, null, why)));
    return new MeasuredLinks(nodes);
  }

  /** Why others were not measured, a line each. */
  public List<String> remarks() {
    return nodes.stream()
        .filter(node -> node.remark() != null)
        .map(node -> node.hostName() + " was not measured: " + node.remark())
        .toList();
  }

  /** The measured links for people. */
  public Table table() {
    Table table = new Table().text("node").number("link MB/s");
    bytesPerSecond()
        .forEach((host, bytes) -> table.row(host, String.format(Locale.ROOT, "%.1f", bytes / 1e6)));
    return table;
  }

  /** Whether any was measured. */
  public boolean any() {
    return !bytesPerSecond().isEmpty();
  }

  /** Writes the measured links into a tier table; keeps the old one as .bak. */
  public void write(Path file) throws IOException {
    TierFileUpdate.of(Files.readString(file), file.toString())
        .setLinks(bytesPerSecond())
        .write(file);
  }

  private Map<String, Double> bytesPerSecond() {
    Map<String, Double> links = new LinkedHashMap<>();
    nodes.stream()
        .filter(node -> node.bytesPerSecond() != null)
        .forEach(node -> links.put(node.hostName(), node.bytesPerSecond()));
    return links;
  }
}
