package io.tierwise.cli.secondary;

import io.tierwise.hadoop.secondary.SecondaryRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Moves files to the secondary store. */
@Command(
    name = "offload",
    description = {
      "Moves files to the secondary store, whole or not at all; HDFS keeps a placeholder.",
      "A copy is written, read back and compared before the replicas in HDFS go. Tierwise's client"
          + " reads the file as before; other clients are refused. Ended at any moment, it leaves"
          + " every file readable, and the same command does the rest.",
      "Needs the permission to write the files and their directories, and to give the copies in"
          + " the store to the files' owners.",
      "Exit code 1 when a file could not be moved; the answer says which and why."
    },
    footer = "  tierwise secondary offload /warehouse --dry-run")
final class SecondaryOffloadCommand extends SecondaryMoveCommand {
  @Option(
      names = "--keep-primary",
      description =
          "Copy only: HDFS keeps its replicas until an offload without this option, which then is"
              + " quick.")
  private boolean keepPrimary;

  @Override
  protected Verb verb() {
    return keepPrimary
        ? new Verb(SecondaryRun.Kind.COPY, "would copy", "copied")
        : new Verb(SecondaryRun.Kind.OFFLOAD, "would offload", "offloaded");
  }
}
