package io.tierwise.cli.autotier;

import io.tierwise.hadoop.autotier.Control;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code tierwise autotier pause}. */
@Command(
    name = "pause",
    description = {
      "Has the daemon change nothing any more, within seconds; it goes on counting reads.",
      "Holds until 'autotier resume', also for a daemon that is started later."
    },
    footer = "  tierwise autotier pause")
final class AutotierPauseCommand extends ControlAction {
  @Override
  void ask(Control control) throws IOException {
    control.pause();
  }
}
