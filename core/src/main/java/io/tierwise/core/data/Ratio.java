package io.tierwise.core.data;

import java.math.BigDecimal;

/**
 * An exact share from 0 to 1. Decimals are kept as they are written: 0.07 of 100 blocks are 7,
 * which floating point makes 8 when rounded up.
 *
 * @param numerator from 0 to {@code denominator}
 * @param denominator from 1 to {@link #DENOMINATOR_MAX}; the fraction is kept in lowest terms
 */
public record Ratio(long numerator, long denominator) implements Comparable<Ratio> {
  /** Nine decimals. Bounded so that products of two stay within a {@code long}. */
  public static final long DENOMINATOR_MAX = 1_000_000_000L;

  public static final Ratio ZERO = new Ratio(0, 1);
  public static final Ratio ONE = new Ratio(1, 1);

  private static final int TEXT_LENGTH_MAX = 24;
  private static final int DECIMALS_MAX = 9;

  public Ratio {
    if (denominator < 1 || numerator < 0 || numerator > denominator) {
      throw new IllegalArgumentException(
          "share " + numerator + "/" + denominator + " is outside 0 to 1");
    }
    long divisor = greatestCommonDivisor(numerator, denominator);
    numerator /= divisor;
    denominator /= divisor;
    if (denominator > DENOMINATOR_MAX) {
      throw new IllegalArgumentException(
          "share " + numerator + "/" + denominator + " is finer than nine decimals");
    }
  }

  /**
   * Reads a decimal ({@code 0.3}) or a fraction ({@code 1/3}).
   *
   * @throws IllegalArgumentException naming the text, when it is neither or outside 0 to 1
   */
  public static Ratio parse(String text) {
    String trimmed = text.strip();
    int slash = trimmed.indexOf('/');
    String whole = slash < 0 ? trimmed : trimmed.substring(0, slash);
    int point = slash < 0 ? whole.indexOf('.') : -1;
    String head = point < 0 ? whole : whole.substring(0, point);
    String tail =
        slash >= 0 ? trimmed.substring(slash + 1) : point >= 0 ? whole.substring(point + 1) : "";
    boolean twoParts = slash >= 0 || point >= 0;
    if (trimmed.length() > TEXT_LENGTH_MAX
        || !isDigits(head, DECIMALS_MAX)
        || (twoParts && !isDigits(tail, DECIMALS_MAX))) {
      throw unreadable(trimmed);
    }
    long first = Long.parseLong(head);
    long second = tail.isEmpty() ? 0 : Long.parseLong(tail);
    long denominator = slash >= 0 ? second : powerOfTen(tail.length());
    long numerator = slash >= 0 ? first : first * denominator + second;
    if (denominator < 1 || numerator > denominator) {
      throw unreadable(trimmed);
    }
    return new Ratio(numerator, denominator);
  }

  /** The share of {@code count}, rounded up. Exact for any non-negative count. */
  public long ceilingOf(long count) {
    long wholes = count / denominator;
    long rest = count % denominator;
    return wholes * numerator - Math.floorDiv(-rest * numerator, denominator);
  }

  /**
   * The sum.
   *
   * @throws IllegalArgumentException when it is above 1 or finer than nine decimals
   */
  public Ratio plus(Ratio other) {
    long top = numerator * other.denominator + other.numerator * denominator;
    return new Ratio(top, denominator * other.denominator);
  }

  /**
   * The difference.
   *
   * @throws IllegalArgumentException when it is below 0 or finer than nine decimals
   */
  public Ratio minus(Ratio other) {
    long top = numerator * other.denominator - other.numerator * denominator;
    return new Ratio(top, denominator * other.denominator);
  }

  /**
   * This ratio as a share of {@code whole}.
   *
   * @throws IllegalArgumentException when it is more than {@code whole}, or finer than nine
   *     decimals
   */
  public Ratio of(Ratio whole) {
    return new Ratio(numerator * whole.denominator, denominator * whole.numerator);
  }

  @Override
  public int compareTo(Ratio other) {
    return Long.compare(numerator * other.denominator, other.numerator * denominator);
  }

  /** A decimal when nine digits hold it, else a fraction; {@link #parse} reads both. */
  @Override
  public String toString() {
    if (DENOMINATOR_MAX % denominator != 0) {
      return numerator + "/" + denominator;
    }
    BigDecimal decimal =
        BigDecimal.valueOf(numerator * (DENOMINATOR_MAX / denominator), DECIMALS_MAX);
    return decimal.signum() == 0 ? "0" : decimal.stripTrailingZeros().toPlainString();
  }

  private static boolean isDigits(String text, int lengthMax) {
    return !text.isEmpty()
        && text.length() <= lengthMax
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static long powerOfTen(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }

  private static long greatestCommonDivisor(long a, long b) {
    return b == 0 ? a : greatestCommonDivisor(b, a % b);
  }

  private static IllegalArgumentException unreadable(String text) {
    String shown =
        text.length() > TEXT_LENGTH_MAX ? text.substring(0, TEXT_LENGTH_MAX) + "..." : text;
    return new IllegalArgumentException(
        "\""
            + shown.replaceAll("\\p{Cntrl}", "?")
            + "\" is no share: write a number from 0 to 1 with at most nine decimals"
            + ", or a fraction such as 1/3");
  }
}
