package io.tierwise.cli.output;

import io.tierwise.core.message.Listener;

/** Shows how far long work is on standard error: a bar a step, a line for what is said. */
public class TerminalListener implements Listener {
  private final Output output;
  private final boolean drawn;

  /** Bars move where standard error is a terminal. */
  public TerminalListener(Output output) {
    this(output, ProgressBar.onTerminal());
  }

  /**
   * @param drawn whether bars move; else a step is a line at its end
   */
  public TerminalListener(Output output, boolean drawn) {
    this.output = output;
    this.drawn = drawn;
  }

  @Override
  public Step begin(String label, long total) {
    return new ProgressBar(output.err(), drawn, label, total);
  }

  @Override
  public void say(String line) {
    output.say(line);
  }
}
