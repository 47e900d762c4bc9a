package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.hadoop.inspect.probe.LinkProbe;
import io.tierwise.hadoop.inspect.probe.MeasuredLinks;
import io.tierwise.lab.SignalGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures the links of DataNodes from this machine, and writes them into the tier table. */
@Command(
    name = "probe-links",
    description = {
      "Measures the links of DataNodes: how fast this machine reads from each what lies in its"
          + " memory. Writes a small temporary file to each, in /tmp/tierwise-links-* of HDFS, and"
          + " removes them at the end, also after Ctrl-C.",
      "A figure is no more than this machine's own link: run it where that is fast, at a quiet"
          + " hour. Needs HDFS's superuser."
    },
    footer = "  tierwise tiers probe-links --dry-run")
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

  @Override
  public Integer call() throws IOException {
    LinkProbe.Settings settings = LinkProbe.Settings.of(fileMebibytes, seconds);
    if (writeTo != null) {
      MeasuredLinks.requireWritable(writeTo);
    }
    Configuration conf = cluster.configuration();
    // Else Hadoop closes it at Ctrl-C, before the files are removed.
    conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      List<DatanodeInfo> nodes = MeasuredLinks.choose(fs, hosts);
      if (dryRun) {
        say(nodes);
        return 0;
      }
      LinkProbe.Result result;
      String late = "its temporary files may be left: remove " + LinkProbe.FOLDER + "* in HDFS";
      try (SignalGuard signal = SignalGuard.asking(() -> output.say(late))) {
        result =
            new LinkProbe(fs, settings, line -> output.err().println(line), signal::signalled)
                .measure(nodes);
        if (signal.signalled()) {
          output.say("interrupted: no figures; its temporary files are removed");
          return ExitCode.INTERRUPTED;
        }
      }
      MeasuredLinks measured = MeasuredLinks.of(result);
      if (output.json()) {
        output.printJson(measured);
      } else {
        measured.remarks().forEach(output::say);
        output.table(measured.table());
      }
      if (writeTo != null && measured.any()) {
        measured.write(writeTo);
        output.say("wrote " + writeTo);
      }
      return ExitCode.failedUnless(measured.remarks().isEmpty());
    }
  }

  private void say(List<DatanodeInfo> nodes) {
    if (output.json()) {
      output.printJson(MeasuredLinks.wouldBe(nodes));
      return;
    }
    nodes.forEach(node -> output.line("would measure the link of " + node.getHostName()));
    if (writeTo != null) {
      output.line("would write " + writeTo);
    }
  }
}
