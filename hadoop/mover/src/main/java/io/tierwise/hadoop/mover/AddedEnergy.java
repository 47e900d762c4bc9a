package io.tierwise.hadoop.mover;

import io.tierwise.core.message.Words;
import java.util.List;
import java.util.Locale;

/**
 * The energy that a plan's moves are expected to add: what the devices that they read and write
 * draw more than when idle, for as long as the bytes take at the speeds of their class.
 *
 * @param joules null when something is not known
 * @param unknownTiers whose power or speed the tier table does not tell, of those that are read or
 *     written; null in it for volumes in no tier
 * @param source where the figures stand
 */
public record AddedEnergy(Double joules, List<String> unknownTiers, String source) {
  /** For people. */
  String text() {
    if (joules != null) {
      return "adds about "
          + joulesText(joules)
          + " to what idle devices draw, by the watts and speeds of "
          + Words.plain(source);
    }
    List<String> names =
        unknownTiers.stream().map(tier -> tier == null ? "no tier" : tier).toList();
    return "joules unknown: "
        + Words.plain(source)
        + " does not tell idle-watts, active-watts and both speeds of "
        + String.join(", ", names);
  }

  private static String joulesText(double joules) {
    if (joules < 100) {
      return String.format(Locale.ROOT, "%.3g J", joules);
    }
    return joules < 10_000
        ? String.format(Locale.ROOT, "%,.0f J", joules)
        : String.format(Locale.ROOT, "%,.1f kJ", joules / 1000);
  }
}
