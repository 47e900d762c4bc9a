package io.tierwise.cli.secondary;

import io.tierwise.hadoop.secondary.SecondaryRun;
import picocli.CommandLine.Command;

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
    },
    footer = "  tierwise secondary recall /warehouse --dry-run")
final class SecondaryRecallCommand extends SecondaryMoveCommand {
  @Override
  protected Verb verb() {
    return new Verb(SecondaryRun.Kind.RECALL, "would recall", "recalled");
  }
}
