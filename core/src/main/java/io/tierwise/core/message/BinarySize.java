package io.tierwise.core.message;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bytes as a person writes them; all units are powers of 1,024, as in Hadoop's own sizes. */
public final class BinarySize {
  private static final Pattern TEXT =
      Pattern.compile("([0-9]+) ?([kmgt]?)(?:(?<=[kmgt])i?b|b)?", Pattern.CASE_INSENSITIVE);

  private static final String UNITS = "kmgt";
  private static final int UNIT_BITS = 10;

  private BinarySize() {}

  /**
   * Reads {@code 64m}, {@code 64 MB} or {@code 64MiB}, which are the same.
   *
   * @param option names the text in a message
   * @throws OperatorException when it is no size, or more than can be counted
   */
  public static long parse(String option, String text) {
    Matcher size = TEXT.matcher(text.strip());
    if (size.matches()) {
      String unit = size.group(2).toLowerCase(Locale.ROOT);
      int bits = unit.isEmpty() ? 0 : UNIT_BITS * (UNITS.indexOf(unit) + 1);
      try {
        return Math.multiplyExact(Long.parseLong(size.group(1)), 1L << bits);
      } catch (ArithmeticException | NumberFormatException e) {
        // Too large: said below.
      }
    }
    throw OperatorException.badInput(
        option + " is " + text + ": give bytes, or a number with k, m or g, as 64m, 64mb or 64MiB");
  }
}
