package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.hadoop.inspect.cluster.ClusterConnection;
import io.tierwise.hadoop.inspect.health.Finding;
import io.tierwise.hadoop.inspect.health.Findings;
import io.tierwise.hadoop.inspect.health.HealthCheck;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;

/** Checks a cluster's configuration and says what is missing. */
@Command(
    name = "doctor",
    description = {
      "Checks a cluster's configuration and state and says what is missing.",
      "Changes nothing. Exit code 0 when nothing fails; 3 when something does, or could not be"
          + " checked: it needs HDFS's superuser. Warnings do not fail."
    },
    footer = "  tierwise doctor --conf /etc/hadoop/conf")
public final class DoctorCommand extends ClusterCommand {
  /** The answer as JSON. */
  private record Answer(String state, List<Finding> findings) {}

  @Override
  public Integer call() {
    Configuration conf = cluster.configuration();
    ClusterConnection.waitOnlyBriefly(conf);
    TerminalListener listener =
        new TerminalListener(output, ProgressBar.onTerminal() && !output.json());
    Findings findings = new HealthCheck(conf, listener).run();
    output.answer(
        new Answer(findings.state(), findings.all()), () -> findings.lines().forEach(output::line));
    return findings.fail() ? ExitCode.CLUSTER : 0;
  }
}
