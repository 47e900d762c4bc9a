package io.tierwise.cli.doctor;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.bench.ProgressBar;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.cluster.ClusterVolumes;
import io.tierwise.cli.cluster.NameNodePlugin;
import io.tierwise.cli.output.Fold;
import io.tierwise.cli.output.Output;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks a cluster's configuration and says what is missing. */
@Command(
    name = "doctor",
    description = {
      "Checks a cluster's configuration and state and says what is missing.",
      "Changes nothing. Exit code 0 when nothing fails; 3 when something does, or could not be"
          + " checked. Warnings do not fail."
    },
    mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
  /** How wide the grades stand before the findings. */
  private static final int INDENT = 12;

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  /** The answer as JSON. */
  private record Answer(String state, List<Finding> findings) {}

  @Override
  public Integer call() {
    Configuration conf = cluster.configuration();
    ClusterOptions.tryOnlyBriefly(conf);
    TierConfiguration tiers = TierConfiguration.load(conf);
    Findings findings = new Findings();
    ClientChecks client = new ClientChecks(conf, tiers);
    client.run(findings);
    new TierChecks(tiers, findings).texts();
    for (URI uri : NameNodeTarget.fileSystems(conf)) {
      findings.check(
          "namenode",
          uri.toString(),
          NameNodeChecks.ADVICE,
          () -> {
            if (isRouter(uri, conf)) {
              findings.add(
                  Finding.notChecked(
                      "namenode",
                      uri.toString(),
                      "a Router, behind which NameNodes decide",
                      "name a name service: --fs hdfs://NAMESERVICE"));
            } else {
              look(uri, conf, tiers, client.needsRefusals(), findings);
            }
          });
    }
    print(findings);
    return findings.fail() ? ExitCode.CLUSTER : 0;
  }

  private static boolean isRouter(URI uri, Configuration conf) throws IOException {
    return NameNodeTarget.of(uri, conf).stream()
        .anyMatch(target -> NameNodePlugin.isRouter(target.rpc(), conf));
  }

  private void look(
      URI uri,
      Configuration conf,
      TierConfiguration tiers,
      boolean needsRefusals,
      Findings findings) {
    DaemonHttp http = new DaemonHttp(conf);
    NameNodeChecks nameNodes = new NameNodeChecks(conf, http, tiers, findings);
    findings.check(
        "namenode",
        "the NameNodes of " + uri,
        NameNodeChecks.ADVICE,
        () -> nameNodes.run(NameNodeTarget.of(uri, conf)));
    findings.check(
        "namenode",
        uri.toString(),
        "check --fs or HADOOP_CONF_DIR, and that an active NameNode runs",
        () -> {
          try (DistributedFileSystem fs = ClusterOptions.connect(uri, conf)) {
            fs.getStatus();
            ask(fs, conf, tiers, http, nameNodes, needsRefusals, findings);
          }
        });
  }

  private void ask(
      DistributedFileSystem fs,
      Configuration conf,
      TierConfiguration tiers,
      DaemonHttp http,
      NameNodeChecks nameNodes,
      boolean needsRefusals,
      Findings findings) {
    findings.check(
        "datanode",
        "nodes, volumes and the DataNodes' keys",
        "run it as HDFS's superuser",
        () -> {
          DatanodeInfo[] live = new NodeStateChecks(fs, findings).run(nameNodes.staleCount());
          new DomainChecks(findings).run(live, nameNodes.domainCount());
          ClusterVolumes volumes = ClusterVolumes.read(fs, tiers);
          new TierChecks(tiers, findings).volumes(volumes);
          boolean https = DFSUtil.getHttpClientScheme(conf).equals("https");
          ProgressBar progress =
              new ProgressBar(
                  output.err(),
                  ProgressBar.onTerminal() && !output.json(),
                  "asking " + live.length + " DataNodes",
                  live.length);
          new DataNodeChecks(http, tiers, findings, needsRefusals)
              .run(live, https, volumes, nameNodes.keptFreeBytes(), progress);
        });
    findings.check(
        AttributeChecks.WHERE,
        "policies of directories",
        "run it as HDFS's superuser",
        () -> {
          NameNodePlugin plugin = new NameNodePlugin(fs, conf);
          NameNodePlugin.Answer active = plugin.ofActive();
          // What the NameNode does depends on its own tier table, whatever this command's says.
          new AttributeChecks(fs, plugin.tiersInForce(active, tiers).configuration(), findings)
              .run(active.runs() ? plugin.malformedPaths(active) : List.of());
        });
  }

  private void print(Findings findings) {
    if (output.json()) {
      output.printJson(new Answer(findings.state(), findings.all()));
      return;
    }
    // Not a table: findings and advice are sentences, and would not fit a terminal side by side.
    // Folded all the same; programs have JSON.
    for (Finding finding : findings.all()) {
      String text =
          Fold.text(" ".repeat(INDENT) + finding.where() + ": " + finding.finding(), INDENT);
      String grade = finding.grade().text();
      output.out().println(grade + text.substring(grade.length()));
      if (finding.advice() != null) {
        String advice = " ".repeat(INDENT) + "-> " + finding.advice();
        output.out().println(Fold.text(advice, INDENT + 3));
      }
    }
    output.out().println(findings.summary());
    output.out().flush();
  }
}
