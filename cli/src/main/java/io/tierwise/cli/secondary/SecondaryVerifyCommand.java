package io.tierwise.cli.secondary;

import io.tierwise.hadoop.secondary.SecondaryRun;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Reads copies and compares them with their checksums. */
@Command(
    name = "verify",
    description = {
      "Reads the copies of files in the secondary store and compares them with their checksums.",
      "Changes nothing. Exit code 1 when a copy is missing or is not what was written, or when"
          + " others than Tierwise's clients can read a placeholder."
    },
    footer = "  tierwise secondary verify /warehouse")
final class SecondaryVerifyCommand extends SecondaryRunCommand {
  @Override
  public Integer call() throws IOException {
    return run(new Verb(SecondaryRun.Kind.VERIFY, "would verify", "verified"), false, null);
  }
}
