package io.tierwise.cli.heat;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.scenario.yaml.Quantity;

/** The length of a window as a person writes it. */
public final class WindowTime {
  private WindowTime() {}

  /** In milliseconds; an option names the text in a message. */
  public static long millis(String option, String text) {
    try {
      return Math.round(Quantity.TIME.parse(text.strip()) * 1e3);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(option + " \"" + text + "\" " + e.getMessage());
    }
  }
}
