package io.tierwise.cli.monitor;

import picocli.CommandLine.Command;

/** The parent of the commands about the monitor. */
@Command(
    name = "monitor",
    description = "Keeps stored blocks on their layouts.",
    subcommands = {MonitorRunCommand.class})
public final class MonitorCommand {}
