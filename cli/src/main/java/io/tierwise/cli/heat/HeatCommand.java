package io.tierwise.cli.heat;

import picocli.CommandLine.Command;

/** The parent of the commands about heat. */
@Command(
    name = "heat",
    description = "Tells how often files were read, by an audit log or by what a NameNode counts.",
    subcommands = {
      HeatTopCommand.class,
      HeatFileCommand.class,
      HeatDirCommand.class,
      HeatTableCommand.class
    })
public final class HeatCommand {}
