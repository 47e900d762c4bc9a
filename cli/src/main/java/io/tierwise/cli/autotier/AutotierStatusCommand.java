package io.tierwise.cli.autotier;

import picocli.CommandLine.Command;

/** {@code tierwise autotier status}. */
@Command(
    name = "status",
    description = {
      "Says whether the daemon runs, who paused it, and what it did last.",
      "It asks HDFS, where the daemon tells of itself: from any machine."
    })
final class AutotierStatusCommand extends ControlAction {}
