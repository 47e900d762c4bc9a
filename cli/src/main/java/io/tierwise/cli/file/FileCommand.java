package io.tierwise.cli.file;

import picocli.CommandLine.Command;

/** The parent of the commands about stored files. */
@Command(
    name = "file",
    description = "Tells in which tiers stored files are; copies, drops and moves their replicas.",
    subcommands = {
      FileCopyToCommand.class,
      FileDropFromCommand.class,
      FileLayoutCommand.class,
      FileMoveCommand.class,
      FileWhereCommand.class
    })
public final class FileCommand {}
