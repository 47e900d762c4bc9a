package io.tierwise.cli.tiers;

import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.probe.LocalVolume;
import io.tierwise.hadoop.inspect.probe.MeasuredVolumes;
import io.tierwise.hadoop.inspect.probe.VolumeProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    mixinStandardHelpOptions = true)
final class TiersProbeCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

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

  @Option(names = "--dry-run", description = "Say what would be measured and written; do nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws IOException {
    VolumeProbe.Settings settings = VolumeProbe.Settings.of(fileMebibytes, seconds, readers);
    Configuration conf = cluster.configuration();
    TierConfiguration tiers = tiers(conf);
    if (tierName != null) {
      tiers.table().require(tierName);
    }
    List<LocalVolume> volumes = LocalVolume.find(directories, conf, settings.fileBytes());
    MeasuredVolumes measured = new MeasuredVolumes(tiers, tierName);
    if (dryRun) {
      say(volumes, measured);
      return 0;
    }
    measure(settings, volumes, measured);
    if (output.json()) {
      output.printJson(measured.answer());
    } else {
      print(measured);
    }
    if (writeTo != null) {
      measured.write(writeTo);
      output.say("wrote " + writeTo);
    }
    return 0;
  }

  private void say(List<LocalVolume> volumes, MeasuredVolumes measured) {
    if (output.json()) {
      output.printJson(measured.wouldBe(volumes));
      return;
    }
    volumes.forEach(
        v -> output.out().println("would measure " + v.directory() + " (" + v.type() + ")"));
    if (writeTo != null) {
      output.out().println("would write " + writeTo);
    }
  }

  /** The tier table that --write names when it exists, else the configured one. */
  private TierConfiguration tiers(Configuration conf) throws IOException {
    return writeTo != null && Files.isRegularFile(writeTo)
        ? TierConfiguration.parse(Files.readString(writeTo), writeTo.toString())
        : TierConfiguration.load(conf);
  }

  private void measure(
      VolumeProbe.Settings settings, List<LocalVolume> volumes, MeasuredVolumes measured)
      throws IOException {
    VolumeProbe probe = new VolumeProbe(settings, line -> output.err().println(line));
    for (LocalVolume volume : volumes) {
      VolumeProbe.Result result = probe.measure(volume.directory());
      if (!result.direct()) {
        output.say(
            volume.directory() + " cannot be read past the page cache: its figures may flatter it");
      }
      measured.add(volume, result);
    }
  }

  private void print(MeasuredVolumes measured) {
    TextTable table =
        new TextTable()
            .left("directory")
            .left("type")
            .left("tier")
            .right("write MB/s")
            .right("read MB/s")
            .right("random reads/s")
            .right("readers at peak")
            .right("peak MB/s");
    measured
        .results()
        .forEach(
            (volume, result) ->
                table.row(
                    volume.directory(),
                    volume.type(),
                    measured.tierOf(volume),
                    megabytes(result.writeBytesPerSecond()),
                    megabytes(result.readBytesPerSecond()),
                    String.format(Locale.ROOT, "%.0f", result.randomReadsPerSecond()),
                    result.peak().readerCount(),
                    megabytes(result.peak().bytesPerSecond())));
    table.print(output.out());
  }

  private static String megabytes(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.1f", bytesPerSecond / 1e6);
  }
}
