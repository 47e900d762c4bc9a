package io.tierwise.cli.bench;

import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TerminalListener;
import io.tierwise.core.message.Fold;

/** What a demo says while it runs, on standard error and without the command's name before it. */
final class DemoProgress extends TerminalListener {
  private final Output output;

  DemoProgress(Output output) {
    super(output);
    this.output = output;
  }

  @Override
  public void say(String line) {
    output.err().println(Fold.text(line));
    output.err().flush();
  }
}
