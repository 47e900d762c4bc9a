package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the policies that a path is under, and where they come from. */
@Command(
    name = "get",
    description = "Prints the policies that a path is under, and where they come from.",
    mixinStandardHelpOptions = true)
final class PolicyGetCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Parameters(paramLabel = "PATH", description = "A file or directory.")
  private String path;

  private record Answer(String path, PathPolicy placement, PathPolicy access) {}

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    TierConfiguration own = TierConfiguration.load(conf);
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      DistributedFileSystem fs = place.fs();
      NameNodePlugin plugin = new NameNodePlugin(fs, conf);
      NameNodePlugin.Answer active = plugin.ofActive();
      TierConfiguration tiers = plugin.tiersInForce(active, own).configuration();
      Path full = fs.getFileStatus(place.path()).getPath();
      Optional<PathPolicy> placement = PathPolicy.placement(fs, full, tiers);
      Optional<PathPolicy> access = PathPolicy.access(fs, full, own);
      boolean wished =
          placement.isPresent() && !placement.get().specification().equals(PathPolicy.STOCK);
      if (wished && !active.runs()) {
        output.say(active.whyNotObeyed());
      }
      if (output.json()) {
        output.printJson(new Answer(path, placement.orElse(null), access.orElse(null)));
      } else {
        TextTable table = new TextTable().left("what").left("specification").left("from");
        addRow(table, "placement", placement, "stock", "no policy: HDFS places as ever");
        addRow(table, "access", access, "-", "no policy: the client's tierwise.access.strategy");
        table.print(output.out());
      }
      boolean placementOk = report(placement, p -> requirePlacement(p, tiers));
      boolean accessOk = report(access, AccessStrategies::parse);
      return placementOk && accessOk ? 0 : ExitCode.BAD_INPUT;
    }
  }

  private static void requirePlacement(String specification, TierConfiguration tiers) {
    if (!specification.strip().equals(PathPolicy.STOCK)) {
      PlacementPolicies.parse(specification, tiers.table(), tiers.layouts());
    }
  }

  /** Says what is wrong with a specification that somebody stored without checking it. */
  private boolean report(Optional<PathPolicy> policy, Consumer<String> parse) {
    if (policy.isEmpty()) {
      return true;
    }
    try {
      parse.accept(policy.get().specification());
      return true;
    } catch (IllegalArgumentException e) {
      output.say(policy.get().origin() + " is ignored: " + e.getMessage());
      return false;
    }
  }

  private static void addRow(
      TextTable table, String what, Optional<PathPolicy> policy, String none, String from) {
    table.row(
        what,
        policy.map(PathPolicy::specification).orElse(none),
        policy.map(PathPolicy::origin).orElse(from));
  }
}
