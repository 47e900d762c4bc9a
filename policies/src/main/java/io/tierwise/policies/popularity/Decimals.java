package io.tierwise.policies.popularity;

import java.math.BigDecimal;

/** Settings that are decimal numbers, kept as whole numbers of their last digit. */
final class Decimals {
  private Decimals() {}

  /** The shortest text of that number of {@code 10^-scale} units. */
  static String text(int units, int scale) {
    return BigDecimal.valueOf(units, scale).stripTrailingZeros().toPlainString();
  }
}
