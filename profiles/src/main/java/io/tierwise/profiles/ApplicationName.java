package io.tierwise.profiles;

import io.tierwise.core.message.Words;
import java.util.regex.Pattern;

/**
 * The name that all runs of an application share: what schedulers put into a run's name (its date,
 * its number, a random id) is a {@code #}.
 *
 * <p>Own: a number of four digits and more differs from run to run (a year, a time, an id); a
 * shorter one tells applications apart ("query 12").
 */
final class ApplicationName {
  private static final int CHARACTERS_MAX = 200;

  private static final Pattern RANDOM_ID =
      Pattern.compile("\\b\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b");

  private static final Pattern DATE =
      Pattern.compile("\\d{4}[-/._]\\d{2}[-/._]\\d{2}(?:[T _]\\d{2}:\\d{2}(?::\\d{2})?)?");

  private static final Pattern NUMBER = Pattern.compile("\\d{4,}");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private ApplicationName() {}

  /** The name of a run's application; what has none shares one, too. */
  static String of(String run) {
    String name = BLANKS.matcher(run).replaceAll(" ").strip();
    name = RANDOM_ID.matcher(name).replaceAll("#");
    name = DATE.matcher(name).replaceAll("#");
    name = Words.plain(NUMBER.matcher(name).replaceAll("#"));
    if (name.isEmpty()) {
      return "(no name)";
    }
    return name.length() > CHARACTERS_MAX ? name.substring(0, CHARACTERS_MAX).strip() : name;
  }
}
