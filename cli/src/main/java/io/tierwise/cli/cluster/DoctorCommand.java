package io.tierwise.cli.cluster;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.output.ProgressBar;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.Fold;
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
          + " checked. Warnings do not fail."
    })
public final class DoctorCommand extends ClusterCommand {
  /** How wide the grades stand before the findings. */
  private static final int INDENT = 12;

  /** The answer as JSON. */
  private record Answer(String state, List<Finding> findings) {}

  @Override
  public Integer call() {
    Configuration conf = cluster.configuration();
    ClusterConnection.waitOnlyBriefly(conf);
    TerminalListener listener =
        new TerminalListener(output, ProgressBar.onTerminal() && !output.json());
    Findings findings = new HealthCheck(conf, listener).run();
    print(findings);
    return findings.fail() ? ExitCode.CLUSTER : 0;
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
