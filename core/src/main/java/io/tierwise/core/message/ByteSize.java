package io.tierwise.core.message;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes as a person writes them. GB is 10^9 bytes and GiB 2^30, as everywhere in Tierwise; a letter
 * alone, as g, is a power of 1,024, as in Hadoop's own sizes.
 */
public final class ByteSize {
  /** For the help of an option. */
  public static final String UNITS_HELP = "GB: 10^9 bytes; GiB or g: 2^30";

  private static final Pattern TEXT =
      Pattern.compile("([0-9]+) ?(?:([kmgt])(i?b)?|b?)", Pattern.CASE_INSENSITIVE);

  private static final String UNITS = "kmgt";
  private static final long BINARY = 1_024;
  private static final long DECIMAL = 1_000;

  private ByteSize() {}

  /**
   * Reads {@code 64m} and {@code 64MiB}, which are the same, or {@code 64 MB}, which is less.
   *
   * @param option names the text in a message
   * @throws OperatorException when it is no size, or more than can be counted
   */
  public static long parse(String option, String text) {
    Matcher size = TEXT.matcher(text.strip());
    if (size.matches()) {
      try {
        return Math.multiplyExact(Long.parseLong(size.group(1)), unitBytes(size));
      } catch (ArithmeticException | NumberFormatException e) {
        // Too large: said below.
      }
    }
    throw OperatorException.badInput(
        option + " is " + text + ": give bytes, or a number with a unit (" + UNITS_HELP + ")");
  }

  private static long unitBytes(Matcher size) {
    if (size.group(2) == null) {
      return 1;
    }
    long base = "b".equalsIgnoreCase(size.group(3)) ? DECIMAL : BINARY;
    int power = UNITS.indexOf(size.group(2).toLowerCase(Locale.ROOT)) + 1;
    long bytes = 1;
    for (int i = 0; i < power; i++) {
      bytes *= base;
    }
    return bytes;
  }
}
