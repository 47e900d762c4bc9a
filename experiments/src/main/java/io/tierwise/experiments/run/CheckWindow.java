package io.tierwise.experiments.run;

import io.tierwise.core.message.OperatorException;
import io.tierwise.simulator.Simulation;
import io.tierwise.simulator.scenario.yaml.Quantity;

/** The part of the simulated time in which a run checks all its invariants after each event. */
public record CheckWindow(double fromSeconds, double untilSeconds) {
  private static final String HOW = "write FROM..TO in simulated time, for example 30 s..2 min";

  /** Reads {@code 30 s..2 min}; the first time may leave out the unit of the second. */
  public static CheckWindow parse(String text, String option) {
    int dots = text.indexOf("..");
    if (dots < 0) {
      throw OperatorException.badInput(option + " " + text + ": " + HOW);
    }
    String until = text.substring(dots + 2).strip();
    String from = text.substring(0, dots).strip();
    if (from.matches("[0-9.]+")) {
      from += " " + until.replaceFirst("^[0-9.]+\\s*", "");
    }
    CheckWindow window = new CheckWindow(seconds(from, text, option), seconds(until, text, option));
    if (window.fromSeconds < 0 || window.untilSeconds < window.fromSeconds) {
      throw OperatorException.badInput(
          option + " " + text + ": from 0 or later, and not back in time; " + HOW);
    }
    return window;
  }

  private static double seconds(String time, String text, String option) {
    try {
      return Quantity.TIME.parse(time);
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(
          option + " " + text + ": \"" + time + "\" " + e.getMessage() + "; " + HOW);
    }
  }

  void apply(Simulation simulation) {
    simulation.checkBetween(fromSeconds, untilSeconds);
  }

  /** The result of the checks, for people. */
  public String result(long checkedEvents) {
    String window = text(fromSeconds) + " to " + text(untilSeconds) + " simulated";
    return checkedEvents == 0
        ? "nothing was checked: no run had an event from " + window
        : String.format(
            java.util.Locale.ROOT,
            "all invariants held after each of %,d events from %s",
            checkedEvents,
            window);
  }

  private static String text(double seconds) {
    return seconds == 0 ? "0 s" : Quantity.TIME.write(seconds);
  }
}
