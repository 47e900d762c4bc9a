package io.tierwise.cli.secondary;

import io.tierwise.cli.file.JournalOptions;
import io.tierwise.hadoop.secondary.SecondaryRun;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gets files back from the secondary store. */
@Command(
    name = "recall",
    description = {
      "Gets files back from the secondary store, with the rights, times, block size and attributes"
          + " that they had.",
      "What is read is compared with the copy's checksums before it takes the placeholder's place."
          + " The copy stays in the store, so that the next offload is quick, until 'tierwise"
          + " secondary clean' takes it away.",
      "Exit code 1 when a file could not be got back; the answer says which and why."
    })
final class SecondaryRecallCommand extends SecondaryRunCommand {
  @Mixin private JournalOptions journal;

  @Option(names = "--dry-run", description = "Say what would come back; change nothing.")
  private boolean dryRun;

  @Option(
      names = "--keep-free",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description = "Of HDFS's capacity, what stays free (default: ${DEFAULT-VALUE}).")
  private double keepFree;

  @Override
  protected double keepFree() {
    return keepFree;
  }

  @Override
  public Integer call() throws IOException {
    return run(new Verb(SecondaryRun.Kind.RECALL, "would recall", "recalled"), dryRun, journal);
  }
}
