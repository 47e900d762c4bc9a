package io.tierwise.cli.capture;

import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.experiments.twin.Twin;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.cluster.StoredCensus;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.yaml.ScenarioWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tierwise capture}. */
@Command(
    name = "capture",
    description = {
      "Writes a scenario of a running cluster: regions, racks, nodes, tiers with their measured"
          + " figures, capacities, layouts.",
      "Changes nothing; needs HDFS's superuser. What HDFS does not know has defaults, which the"
          + " file names; its workload is TestDFSIO, to be replaced by your own. A run of it begins"
          + " with cold caches."
    },
    footer = "  tierwise capture -o mine.yaml --node cores=32 --node \"link=25 Gbps\"")
public final class CaptureCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Spec private CommandSpec command;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Where to write; must not exist (default: standard output).")
  private Path file;

  @Option(names = "--force", description = "Replace the file if it exists.")
  private boolean force;

  @Option(names = "--free", description = "Capacities are what is free now, not the whole.")
  private boolean free;

  @Option(
      names = "--stored",
      paramLabel = "PATH",
      description = "What is stored below it, too, as equal files of each directory and policy.")
  private List<String> stored = new ArrayList<>();

  @Option(
      names = "--node",
      paramLabel = "KEY=VALUE",
      description = "Set a key of every kind of node, for example cores=16 or \"link=25 Gbps\".")
  private List<String> nodeSettings = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (file != null && Files.exists(file) && !force) {
      throw OperatorException.badInput(
          "-o " + file + " exists: name another file, or give --force");
    }
    Twin.checkSettings(nodeSettings);
    Configuration conf = cluster.configuration();
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      NameNodePlugin.InForce decides = NameNodePlugin.inForce(fs, conf);
      NameNodePlugin.Tiers tiers = decides.tiers();
      ClusterVolumes volumes = ClusterVolumes.read(fs, tiers.configuration());
      FsServerDefaults defaults = fs.getServerDefaults(new org.apache.hadoop.fs.Path("/"));
      Twin twin = new Twin(volumes.census(decides.active().regions(conf)), free);
      Scenario captured =
          twin.scenario(
              "captured from " + fs.getUri().getAuthority(),
              defaults.getBlockSize(),
              defaults.getReplication());
      List<String> remarks = new ArrayList<>(twin.remarks());
      List<StoredSpec> files =
          StoredCensus.of(fs, stored, tiers.configuration(), remarks).stream()
              .map(g -> new StoredSpec(g.path(), g.files(), g.bytesOfFile(), g.placement()))
              .toList();
      remarks.addAll(volumes.mistakesInShort());
      remarks.add("tiers by: " + Words.plain(tiers.whose()));
      write(captured.withStored(files), remarks);
      return 0;
    }
  }

  private void write(Scenario captured, List<String> remarks) throws IOException {
    Scenario complete = Twin.withSettings(captured, nodeSettings);
    String yaml = ScenarioWriter.write(complete, remarks);
    if (file == null) {
      command.commandLine().getOut().print(yaml);
      command.commandLine().getOut().flush();
      return;
    }
    try {
      Files.writeString(file, yaml);
    } catch (IOException e) {
      throw OperatorException.cluster(
          "-o " + file + " cannot be written: " + FileReason.alone(e), e);
    }
    remarks.forEach(remark -> Output.say(command, remark));
    Output.say(command, "written to " + file + "; run it with: tierwise simulate " + file);
  }
}
