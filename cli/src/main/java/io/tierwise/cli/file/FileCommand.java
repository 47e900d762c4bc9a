package io.tierwise.cli.file;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the commands about stored files. */
@Command(
    name = "file",
    description = "Tells in which tiers stored files are; copies, drops and moves their replicas.",
    mixinStandardHelpOptions = true,
    subcommands = {
      FileCopyToCommand.class,
      FileDropFromCommand.class,
      FileLayoutCommand.class,
      FileMoveCommand.class,
      FileWhereCommand.class
    })
public final class FileCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name a command: copy-to, drop-from, layout, move or where");
  }
}
