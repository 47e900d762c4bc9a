package io.tierwise.cli.cluster;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.inspect.probe.LocalVolume;
import io.tierwise.hadoop.inspect.probe.MeasuredVolumes;
import io.tierwise.hadoop.inspect.probe.VolumeProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures this machine's volumes and writes the device classes into the tier table. */
@Command(
    name = "probe",
    description = {
      "Measures this machine's volumes: sequential write and read, random reads, and the number of"
          + " concurrent readers at which throughput peaks (the default of the threshold T_r).",
      "Run it on a DataNode, at a quiet hour. Uses a temporary file in each directory."
    },
    footer = "  tierwise tiers probe /data/ssd0 /data/disk0 --dry-run")
final class TiersProbeCommand extends ClusterCommand {
  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      description = "Directories to measure (default: dfs.datanode.data.dir).")
  private List<String> directories = List.of();

  @Option(
      names = "--file-mebibytes",
      defaultValue = "256",
      paramLabel = "N",
      description = "Size of the temporary file (default: ${DEFAULT-VALUE}).")
  private int fileMebibytes;

  @Option(
      names = "--seconds",
      defaultValue = "2",
      paramLabel = "S",
      description = "Length of each read measurement (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--readers",
      split = ",",
      defaultValue = "1,2,4,8,16",
      paramLabel = "N",
      description = "Numbers of concurrent readers (default: ${DEFAULT-VALUE}).")
  private List<Integer> readers;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      description = "Count all measured directories to this tier, whatever the tier table matches.")
  private String tierName;

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write the measured classes into this tier table; the old one is kept as .bak.")
  private Path writeTo;

  @Option(
      names = "--each-volume",
      description = {
        "With --write: also what each volume gives, which reads by 'auto' then go by instead of the"
            + " class."
      })
  private boolean eachVolume;

  @Option(names = "--dry-run", description = "Say what would be measured and written; do nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws IOException {
    if (eachVolume && writeTo == null) {
      throw OperatorException.badInput("--each-volume goes with --write FILE");
    }
    VolumeProbe.Settings settings = VolumeProbe.Settings.of(fileMebibytes, seconds, readers);
    Configuration conf = cluster.configuration();
    List<LocalVolume> volumes = LocalVolume.find(directories, conf, settings.fileBytes());
    MeasuredVolumes measured = MeasuredVolumes.in(conf, volumes, writeTo, tierName);
    if (dryRun) {
      say(volumes, measured);
      return 0;
    }
    VolumeProbe probe = new VolumeProbe(settings, line -> output.err().println(line));
    measured.measure(probe, volumes).forEach(output::say);
    output.answer(measured.answer(), measured.table());
    if (writeTo != null) {
      measured.write(writeTo, eachVolume);
      output.say("wrote " + writeTo);
    }
    return 0;
  }

  private void say(List<LocalVolume> volumes, MeasuredVolumes measured) {
    if (output.json()) {
      output.printJson(measured.wouldBe(volumes));
      return;
    }
    volumes.forEach(v -> output.line("would measure " + v.directory() + " (" + v.type() + ")"));
    if (writeTo != null) {
      output.line("would write " + writeTo);
    }
  }
}
