package io.tierwise.cli.autotier;

import io.tierwise.hadoop.autotier.Control;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code tierwise autotier resume}. */
@Command(
    name = "resume",
    description = {
      "Takes a pause of the daemon back.",
      "What the last window asked for is done at once."
    },
    footer = "  tierwise autotier resume")
final class AutotierResumeCommand extends ControlAction {
  @Override
  void ask(Control control) throws IOException {
    control.resume();
  }
}
