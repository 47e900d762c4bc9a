package io.tierwise.cli.autotier;

import io.tierwise.hadoop.autotier.AutotierMetrics;
import io.tierwise.hadoop.autotier.Control;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tierwise autotier status}. */
@Command(
    name = "status",
    description = {
      "Says whether the daemon runs, who paused it, and what it did last.",
      "It asks HDFS, where the daemon tells of itself: from any machine."
    },
    footer = "  tierwise autotier status")
final class AutotierStatusCommand extends ControlAction {
  @Option(
      names = "--textfile",
      paramLabel = "FILE",
      description =
          "Also replace this file as a whole by metrics, for node_exporter's textfile collector.")
  private Path textfile;

  @Override
  void seen(Control.Status status) {
    if (textfile != null) {
      AutotierMetrics.write(status, textfile);
    }
  }
}
