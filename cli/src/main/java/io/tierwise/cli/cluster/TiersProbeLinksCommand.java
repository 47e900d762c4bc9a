package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.TextTable;
import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.tiers.TierFileUpdate;
import io.tierwise.hadoop.inspect.probe.LinkProbe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures the links of DataNodes from this machine, and writes them into the tier table. */
@Command(
    name = "probe-links",
    description = {
      "Measures the links of DataNodes: how fast this machine reads from each what lies in its"
          + " memory. Writes a small temporary file to each, in /tmp of HDFS.",
      "A figure is no more than this machine's own link: run it where that is fast, at a quiet"
          + " hour."
    })
final class TiersProbeLinksCommand extends ClusterCommand {
  @Parameters(
      paramLabel = "HOST",
      arity = "0..*",
      description = "DataNodes to measure, by host name (default: all that live).")
  private List<String> hosts = List.of();

  @Option(
      names = "--file-mebibytes",
      defaultValue = "64",
      paramLabel = "N",
      description = "Size of each temporary file (default: ${DEFAULT-VALUE}).")
  private int fileMebibytes;

  @Option(
      names = "--seconds",
      defaultValue = "1",
      paramLabel = "S",
      description = "Length of each measurement (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description =
          "Write the measured links into this tier table, which reads by 'auto' go by; the old one"
              + " is kept as .bak.")
  private Path writeTo;

  @Option(names = "--dry-run", description = "Say what would be measured and written; do nothing.")
  private boolean dryRun;

  /**
   * A DataNode.
   *
   * @param bytesPerSecond null when it was not measured
   * @param remark why not; null when it was
   */
  private record Node(String hostName, Double bytesPerSecond, String remark) {}

  private record Answer(List<Node> nodes) {}

  @Override
  public Integer call() throws IOException {
    LinkProbe.Settings settings = LinkProbe.Settings.of(fileMebibytes, seconds);
    if (writeTo != null && !Files.isRegularFile(writeTo)) {
      throw OperatorException.badInput("--write " + writeTo + " is no tier table: name one");
    }
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      List<DatanodeInfo> nodes = chosen(fs);
      if (dryRun) {
        say(nodes);
        return 0;
      }
      LinkProbe probe = new LinkProbe(fs, settings, line -> output.err().println(line));
      LinkProbe.Result result = probe.measure(nodes);
      Map<String, Double> links = result.bytesPerSecond();
      print(result);
      if (writeTo != null && !links.isEmpty()) {
        TierFileUpdate.of(Files.readString(writeTo), writeTo.toString())
            .setLinks(links)
            .write(writeTo);
        output.say("wrote " + writeTo);
      }
      return result.failures().isEmpty() ? 0 : ExitCode.FAILED;
    }
  }

  private List<DatanodeInfo> chosen(DistributedFileSystem fs) throws IOException {
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

  private void say(List<DatanodeInfo> nodes) {
    if (output.json()) {
      output.printJson(
          new Answer(nodes.stream().map(n -> new Node(n.getHostName(), null, null)).toList()));
      return;
    }
    nodes.forEach(node -> output.line("would measure the link of " + node.getHostName()));
    if (writeTo != null) {
      output.line("would write " + writeTo);
    }
  }

  private void print(LinkProbe.Result result) {
    if (output.json()) {
      List<Node> nodes = new ArrayList<>();
      result.bytesPerSecond().forEach((host, bytes) -> nodes.add(new Node(host, bytes, null)));
      result.failures().forEach((host, why) -> nodes.add(new Node(host, null, why)));
      output.printJson(new Answer(nodes));
      return;
    }
    result.failures().forEach((host, why) -> output.say(host + " was not measured: " + why));
    TextTable table = new TextTable().left("node").right("link MB/s");
    result
        .bytesPerSecond()
        .forEach((host, bytes) -> table.row(host, String.format(Locale.ROOT, "%.1f", bytes / 1e6)));
    table.print(output.out());
  }
}
