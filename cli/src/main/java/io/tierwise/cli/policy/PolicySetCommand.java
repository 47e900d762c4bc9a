package io.tierwise.cli.policy;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts a path, and all below it, under a policy. */
@Command(
    name = "set",
    description = {
      "Puts a path, and all below it, under a placement policy or an access strategy.",
      "Holds for blocks written from now on; what is stored stays where it is."
    },
    mixinStandardHelpOptions = true)
final class PolicySetCommand implements Callable<Integer> {
  private static final String FROM_ATTRIBUTE_KEY = "tierwise.access.from-attribute.enabled";

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Parameters(paramLabel = "PATH", description = "A file or directory.")
  private String path;

  @Option(
      names = "--placement",
      paramLabel = "SPEC",
      description = "Placement policy, for example hybrid; see 'tierwise policy list'.")
  private String placement;

  @Option(
      names = "--access",
      paramLabel = "SPEC",
      description = "Access strategy, for example balanced:50; see 'tierwise policy list'.")
  private String access;

  @Option(names = "--dry-run", description = "Check everything, change nothing.")
  private boolean dryRun;

  @Override
  public Integer call() throws IOException {
    if (placement == null && access == null) {
      throw OperatorException.badInput("nothing to set: give --placement, --access, or both");
    }
    Configuration conf = cluster.configuration();
    TierConfiguration tiers = TierConfiguration.load(conf);
    Map<String, String> attributes = canonical(tiers);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      FileStatus status = fs.getFileStatus(new Path(path));
      Path full = status.getPath();
      if (access != null && status.isFile()) {
        // Clients look up a file's directory, not each file: one lookup serves all its files.
        throw OperatorException.badInput(
            "--access holds for directories, and " + path + " is a file: name its directory");
      }
      if (!dryRun) {
        // One after the other: HDFS sets one attribute a call. Both were checked before.
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
          fs.setXAttr(
              full, attribute.getKey(), attribute.getValue().getBytes(StandardCharsets.UTF_8));
        }
      }
    }
    if (output.json()) {
      output.printJson(Map.of("path", path, "changed", !dryRun, "attributes", attributes));
    } else {
      attributes.forEach(
          (name, value) ->
              output
                  .out()
                  .println(
                      (dryRun ? "would set " : "set ") + name + " of " + path + " to " + value));
    }
    if (access != null && !conf.getBoolean(FROM_ATTRIBUTE_KEY, false)) {
      output
          .err()
          .println("note: clients follow the attribute only with " + FROM_ATTRIBUTE_KEY + "=true");
    }
    return 0;
  }

  /** The attributes to set, their specifications in canonical form; throws on a wrong one. */
  private Map<String, String> canonical(TierConfiguration tiers) {
    Map<String, String> attributes = new LinkedHashMap<>();
    if (placement != null) {
      attributes.put(
          PathPolicy.PLACEMENT_ATTRIBUTE,
          PlacementPolicies.parse(placement, tiers.table(), tiers.layouts()).name());
    }
    if (access != null) {
      attributes.put(PathPolicy.ACCESS_ATTRIBUTE, AccessStrategies.parse(access).name());
    }
    return attributes;
  }
}
