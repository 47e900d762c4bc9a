package io.tierwise.cli.policy;

import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.policy.PolicyChange;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
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
    footer = "  tierwise policy unset /warehouse --dry-run")
final class PolicyUnsetCommand extends ClusterCommand {
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
    List<String> removed;
    try (ClusterConnection.Place place = cluster.connect(cluster.configuration(), path)) {
      Path full = place.fs().getFileStatus(place.path()).getPath();
      List<String> wanted = PolicyChange.attributesOf(placement || both, access || both);
      removed = PolicyChange.unset(place.fs(), full, wanted, dryRun);
    }
    if (output.json()) {
      output.printJson(new Answer(path, !dryRun, removed));
    } else if (removed.isEmpty()) {
      output.line(path + " has no policy of its own: nothing to remove");
    } else {
      String verb = dryRun ? "would remove " : "removed ";
      removed.forEach(name -> output.line(verb + name + " of " + path));
    }
    return 0;
  }
}
