package io.tierwise.cli.policy;

import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.policy.PolicyChange;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes the policies that stand on a path itself. */
@Command(
    name = "unset",
    description = {
      "Removes the policies that stand on a path itself; what a directory above it or a rule says"
          + " holds again.",
      "Without --placement or --access it removes both."
    },
    mixinStandardHelpOptions = true)
final class PolicyUnsetCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Parameters(paramLabel = "PATH", description = "A file or directory.")
  private String path;

  @Option(names = "--placement", description = "Remove the placement policy.")
  private boolean placement;

  @Option(names = "--access", description = "Remove the access strategy.")
  private boolean access;

  @Option(names = "--dry-run", description = "Say what would be removed; change nothing.")
  private boolean dryRun;

  private record Answer(String path, boolean changed, List<String> attributes) {}

  @Override
  public Integer call() throws IOException {
    boolean both = placement == access;
    List<String> attributes = PolicyChange.attributesOf(placement || both, access || both);
    List<String> removed;
    try (ClusterConnection.Place place = cluster.connect(cluster.configuration(), path)) {
      DistributedFileSystem fs = place.fs();
      Path full = fs.getFileStatus(place.path()).getPath();
      removed = PolicyChange.unset(fs, full, attributes, dryRun);
    }
    if (output.json()) {
      output.printJson(new Answer(path, !dryRun, removed));
    } else if (removed.isEmpty()) {
      output.out().println(path + " has no policy of its own: nothing to remove");
    } else {
      removed.forEach(
          name ->
              output.out().println((dryRun ? "would remove " : "removed ") + name + " of " + path));
    }
    return 0;
  }
}
