package io.tierwise.cli.policy;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.cluster.ClusterCommand;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.policy.PathPolicies;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the policies that a path is under, and where they come from. */
@Command(
    name = "get",
    description = "Prints the policies that a path is under, and where they come from.",
    footer = "  tierwise policy get /warehouse")
final class PolicyGetCommand extends ClusterCommand {
  @Parameters(paramLabel = "PATH", description = "A file or directory.")
  private String path;

  private record Answer(String path, PathPolicy placement, PathPolicy access) {}

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    try (ClusterConnection.Place place = cluster.connect(conf, path)) {
      PathPolicies policies = PathPolicies.of(place, conf);
      if (policies.notObeyed() != null) {
        output.say(policies.notObeyed());
      }
      output.answer(new Answer(path, policies.placement(), policies.access()), policies.table());
      policies.malformed().forEach(output::say);
      return policies.malformed().isEmpty() ? 0 : ExitCode.BAD_INPUT;
    }
  }
}
