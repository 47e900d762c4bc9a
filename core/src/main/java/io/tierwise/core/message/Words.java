package io.tierwise.core.message;

import java.util.Locale;

/** Counts, bytes, durations, shares, states and names of others as they stand in a sentence. */
public final class Words {
  private Words() {}

  /** A state as JSON has it: one word in lower case, {@code in_service} for "In Service". */
  public static String word(String state) {
    return state.toLowerCase(Locale.ROOT).replace(' ', '_');
  }

  /**
   * A name or value that a user of the cluster stored, for a terminal or a file: signs that would
   * move its cursor, colour it or begin a line are question marks, and so are halves of surrogate
   * pairs, which no file in UTF-8 can hold.
   */
  public static String plain(String text) {
    StringBuilder shown = null;
    for (int i = 0; i < text.length(); i++) {
      boolean half = Character.isSurrogate(text.charAt(i));
      if (half && Character.isSupplementaryCodePoint(text.codePointAt(i))) {
        i++; // Both halves are there.
      } else if (half || Character.isISOControl(text.charAt(i))) {
        shown = shown == null ? new StringBuilder(text) : shown;
        shown.setCharAt(i, '?');
      }
    }
    return shown == null ? text : shown.toString();
  }

  /** A count and what is counted, as people say it: {@code 1 file}, {@code 1,200 files}. */
  public static String count(long count, String noun) {
    boolean onY = noun.endsWith("y") && !noun.endsWith("ay");
    String plural = onY ? noun.substring(0, noun.length() - 1) + "ies" : noun + "s";
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? noun : plural);
  }

  /** Bytes with a binary unit, for people. */
  public static String bytes(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = bytes;
    int unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  /** A duration in seconds, minutes or hours, for people. */
  public static String duration(double seconds) {
    if (seconds < 90) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
    return seconds < 5400
        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }

  /** A share between 0 and 1 as a percentage; a dash when it is not a number. */
  public static String percent(double share) {
    return Double.isFinite(share) ? String.format(Locale.ROOT, "%.1f%%", 100 * share) : "-";
  }
}
