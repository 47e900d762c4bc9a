package io.tierwise.cli.doctor;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.cluster.ClusterVolumes;
import io.tierwise.cli.doctor.Finding.Grade;
import io.tierwise.cli.doctor.PluginKeys.Plugin;
import io.tierwise.cli.output.Output;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessStrategies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Checks a cluster's configuration and says what is missing. */
@Command(
    name = "doctor",
    description = {
      "Checks a cluster's configuration and state and says what is missing.",
      "Changes nothing. Exit code 0 when nothing fails, 3 otherwise; warnings do not fail."
    },
    mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
  private static final String DEAD_NODE_DETECTION = "dfs.client.deadnode.detection.enabled";

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    TierConfiguration tiers = TierConfiguration.load(conf);
    List<Finding> findings = new ArrayList<>(client(conf));
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      DaemonChecks daemons = new DaemonChecks(fs, conf);
      findings.addAll(daemons.nameNode());
      findings.addAll(daemons.dataNodes());
      findings.addAll(new TierChecks(tiers).all(ClusterVolumes.read(fs, tiers)));
    }
    print(findings);
    boolean failed = findings.stream().anyMatch(f -> f.grade() == Grade.FAILURE);
    return failed ? OperatorException.CLUSTER : 0;
  }

  private static List<Finding> client(Configuration conf) {
    List<Finding> findings = new ArrayList<>();
    for (Plugin plugin : PluginKeys.CLIENT) {
      findings.add(
          DaemonChecks.check("client", plugin, Optional.ofNullable(conf.get(plugin.key()))));
    }
    String strategy = conf.getTrimmed("tierwise.access.strategy", "network-aware");
    try {
      findings.add(Finding.ok("client", "reads by " + AccessStrategies.parse(strategy).name()));
    } catch (IllegalArgumentException e) {
      findings.add(
          Finding.failure("client", e.getMessage(), "correct the key tierwise.access.strategy"));
    }
    if (conf.getBoolean(DEAD_NODE_DETECTION, false)) {
      findings.add(
          Finding.warning(
              "client",
              DEAD_NODE_DETECTION + " is true",
              "set it to false: it would count a node that refused one read as dead"));
    }
    return findings;
  }

  private void print(List<Finding> findings) {
    if (output.json()) {
      output.printJson(findings);
      return;
    }
    // Not a table: findings and advice are sentences, and would not fit a terminal side by side.
    for (Finding finding : findings) {
      output
          .out()
          .printf("%-8s %-9s %s%n", finding.grade().text(), finding.where(), finding.finding());
      if (!finding.advice().isEmpty()) {
        output.out().printf("%18s -> %s%n", "", finding.advice());
      }
    }
  }
}
